import { SingleBar } from 'cli-progress'

/**
 * Shows on a terminal how far the work is; elsewhere nothing.
 * @param unit what is counted
 */
export async function withBar<T> (unit: string, work: (progress: (done: number, total: number) => void) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return await work(() => {})
  const bar = new SingleBar({ format: `{bar} {value}/{total} ${unit}`, stream: process.stderr })
  let started = false
  try {
    return await work((done, total) => {
      if (started) bar.setTotal(total)
      else bar.start(total, done)
      started = true
      bar.update(done)
    })
  } finally {
    if (started) bar.stop()
  }
}
