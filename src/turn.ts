import { asks, turnRuns, type Asked } from './channels.ts'

/** How a {@link batch} groups what is asked. */
export interface BatchOptions {
  /** What metrics and traces call it. */
  name: string
  /** Runs under way at once; what is asked while all are out waits and makes the next run larger. */
  inFlight: number
  /** Asks in one run at most. */
  most: number
  /** Whether an error of a run may be one ask's fault: each is then run alone, so that each gets its own. */
  isolates?: (error: unknown) => boolean
  /** Milliseconds after which a run counts no longer as one under way: whatever it waits for, others need not. */
  patience?: number
  /** Milliseconds: while the first that waits for a run has waited longer, one more is refused at once. */
  longest?: number
}

/** Too many wait already, for the process or for its database. */
export class Crowded extends Error {}

interface Waiting<Ask, Answer> {
  ask: Ask
  told: Asked | undefined
  since: number
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * The turn: what many requests need at the same moment, they ask for together. Collects what is asked in one turn of
 * the event loop and has `run` answer all of it at once, in the order asked. A lone ask waits for nobody; nothing
 * asked joins a run that started before.
 * @param run answers many asks, one answer each, in order; its failure fails all of them (see `isolates`)
 * @returns a function that asks for one, and throws {@link Crowded}
 */
export function batch<Ask, Answer> (
  run: (asks: Ask[]) => Promise<Answer[]>,
  { name, inFlight, most, isolates = () => false, patience = 1000, longest = 1000 }: BatchOptions
): (ask: Ask) => Promise<Answer> {
  let waiting: Array<Waiting<Ask, Answer>> = []
  const starts: number[] = []
  let scheduled = false

  function isFull (): boolean {
    if (starts.length < inFlight) return false
    const recent = performance.now() - patience
    return starts.filter(start => start > recent).length >= inFlight
  }

  function schedule () {
    if (scheduled || waiting.length === 0 || isFull()) return
    scheduled = true
    setImmediate(start)
  }

  function start () {
    scheduled = false
    const taken = waiting.slice(0, most)
    waiting = waiting.slice(most)
    const started = performance.now()
    starts.push(started)
    for (const { told } of taken) if (told !== undefined) told.size = taken.length
    settle(taken).finally(() => {
      starts.splice(starts.indexOf(started), 1)
      if (turnRuns.hasSubscribers) turnRuns.publish({ turn: name, size: taken.length, seconds: (performance.now() - started) / 1000 })
      schedule()
    })
    schedule()
  }

  async function settle (taken: Array<Waiting<Ask, Answer>>): Promise<void> {
    try {
      const answers = await run(taken.map(({ ask }) => ask))
      for (const [index, { resolve }] of taken.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (taken.length > 1 && isolates(error)) {
        for (const one of taken) await settle([one])
      } else {
        for (const { reject } of taken) reject(error)
      }
    }
  }

  // Without a promise more than there must be: this is on the way of every request.
  const enter = (ask: Ask, told?: Asked) => new Promise<Answer>((resolve, reject) => {
    const since = performance.now()
    if (isFull() && waiting[0] !== undefined && since - waiting[0].since > longest) throw new Crowded('too many requests wait for the database')
    waiting.push({ ask, told, since, resolve, reject })
    schedule()
  })

  return async (ask) => {
    if (!asks.start.hasSubscribers) return await enter(ask)
    const told = { turn: name, size: 0 }
    return await asks.tracePromise(enter, told, undefined, ask, told)
  }
}
