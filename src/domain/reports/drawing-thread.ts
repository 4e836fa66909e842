import type { Piscina } from 'piscina'
import { Crowded } from '../../database/turns/crowded.ts'
import type { Drawing } from './drawing.ts'
import { codeOf } from '../../files/errors.ts'

/** Limits of a drawing, in ms. */
interface DrawingLimits {
  /** CPU time of its thread. Other work on a busy machine does not count. */
  cpuMs: number
  /** Elapsed time, far above what a drawing needs on a busy machine. */
  wallMs: number
}

/** A drawing, as the thread needs it: the report decides what the thread loads. */
type Report = Pick<Drawing, 'report'>

/** Time in ms after which an unused thread ends. With curves, it takes 50 MB. Two threads take up to 160 MB with long documents. */
const idleMs = 600_000

/** Time in ms between two looks at the CPU time. */
const lookMs = 100

/** A thread that draws one report at a time. It starts with the first report, and again at once after a report that was given up. */
export class DrawingThread<D extends Report = Drawing> {
  readonly #limits: DrawingLimits
  readonly #filename: string
  readonly #onError: (error: unknown) => void
  #pool: Promise<Piscina> | undefined
  #isEnded = false

  /** @param filename of a module with the functions `default` and `load` of `drawing.ts` @param onError takes errors outside a drawing */
  constructor (filename: string, limits: DrawingLimits, onError: (error: unknown) => void) {
    this.#filename = filename
    this.#limits = limits
    this.#onError = onError
  }

  /** Draws a report. @throws {Crowded} if it takes too much CPU time, time or memory */
  async draw (drawing: D): Promise<Uint8Array> {
    // A start that has failed is tried again.
    this.#pool ??= this.#start().catch((error) => { this.#pool = undefined; throw error })
    const pool = await this.#pool
    // The start of the thread does not count.
    await load(pool, drawing)
    const ending = new AbortController()
    const watch = await watched(pool, this.#limits, ending)
    try {
      return await pool.run(drawing, { signal: ending.signal })
    } catch (error) {
      if (!ending.signal.aborted && codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      // The thread starts now, and not with the next drawing.
      load(pool, drawing).catch((error) => { if (!this.#isEnded) this.#onError(error) })
      throw new Crowded('a drawing takes too much', { key: 'answerTooLong', isGivenUp: true, cause: error })
    } finally {
      clearInterval(watch)
    }
  }

  /** Whether a thread runs. */
  async isRunning (): Promise<boolean> {
    return ((await this.#pool)?.threads.length ?? 0) > 0
  }

  async end (): Promise<void> {
    this.#isEnded = true
    await (await this.#pool)?.destroy()
  }

  async #start (): Promise<Piscina> {
    // Loaded on the first use.
    const { Piscina } = await import('piscina')
    const { href: filename } = new URL(this.#filename, import.meta.url)
    const pool = new Piscina({
      filename, minThreads: 0, maxThreads: 1, idleTimeout: idleMs, resourceLimits: { maxOldGenerationSizeMb: 256 }
    })
    // An error of the thread outside a drawing, for example after one that was given up. Without a listener, it would end the process.
    return pool.on('error', this.#onError)
  }
}

async function load (pool: Piscina, { report }: Report): Promise<void> {
  await pool.run(report, { name: 'load' })
}

/** Ends a drawing beyond its limits. The thread answers also while it computes. @returns the timer, which the caller clears */
async function watched (
  { threads: [thread] }: Piscina, { cpuMs, wallMs }: DrawingLimits, ending: AbortController
): Promise<NodeJS.Timeout> {
  const used = async () => {
    const { user, system } = await thread.cpuUsage()
    return (user + system) / 1000
  }
  const began = performance.now()
  let before = Infinity
  const timer = setInterval(() => {
    if (performance.now() - began > wallMs) ending.abort()
    // A thread that has ended has no times, and its drawing an error.
    used().then((cpu) => { if (cpu - before > cpuMs) ending.abort() }, () => {})
  }, lookMs)
  before = await used().catch(() => Infinity)
  return timer
}
