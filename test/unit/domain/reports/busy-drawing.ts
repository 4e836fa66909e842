/** What the thread of a test does instead of drawing: it waits without CPU time, or computes, for so many ms. */
export interface BusyDrawing {
  report: 'caratula'
  waitMs: number
  computeMs: number
}

export async function load (): Promise<void> {}

export default function draw ({ waitMs, computeMs }: BusyDrawing): Uint8Array {
  // As a thread that waits for a processor.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs)
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  for (const before = used(); used() - before < computeMs;);
  return Buffer.from('drawn')
}
