/** Called with the number done and the total. */
export type Progress = (done: number, total: number) => void

/**
 * Shows progress on a terminal, and nothing elsewhere.
 * @param unit name of the counted things
 */
export async function withProgress<T> (unit: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return await work(() => {})
  let shown = false
  try {
    return await work((done, total) => {
      shown = true
      stderr.write(`\r${done}/${total} ${unit}`)
    })
  } finally {
    if (shown) stderr.write('\n')
  }
}
