import { asks, turnRuns, type Asked } from './channels.ts'

/** Longest wait for the database or for another session's lock, in ms. */
export const longestWait = 10_000

/** How a {@link batch} groups what is asked. */
export interface BatchOptions<Ask = unknown> {
  /** What metrics and traces call it. */
  name: string
  /** Runs under way at once; what is asked while all are out waits and makes the next run larger. */
  inFlight: number
  /** Asks in one run at most. */
  most: number
  /** Whether an error of a run may be one ask's fault: each is then run alone, so that each gets its own. */
  isolates?: (error: unknown) => boolean
  /** Whether a later run may succeed where this one failed: its asks then wait for the next run, each until its own deadline. */
  repeats?: (error: unknown) => boolean
  /** Delays a run, for example until a connection is free. The run takes the asks that wait when it begins. Must not throw. */
  admit?: (run: () => Promise<void>) => Promise<void>
  /** Milliseconds after which one run more than `inFlight` may start, if the oldest run still lasts. */
  patience?: number
  /** Milliseconds: while the first that waits for a run has waited longer, one more is refused at once. */
  longest?: number
  /** Longest wait of an ask for its run, in ms; after it the ask is refused. */
  bound?: number
  /** The instant, by `performance.now()`, after which an ask is refused instead; undefined for the usual one. */
  deadlineOf?: (ask: Ask) => number | undefined
}

/** Too many wait already, for the process or for its database. */
export class Crowded extends Error {}

interface Waiting<Ask, Answer> {
  ask: Ask
  told: Asked | undefined
  since: number
  deadline: number
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * The turn: what many requests need at the same moment, they ask for together. Collects what is asked in one turn of
 * the event loop and has `run` answer all of it at once, in the order asked. A lone ask waits for nobody; nothing
 * asked joins a run that started before.
 * @param run answers many asks, one answer each, in order; its failure fails all of them (see `isolates` and `repeats`)
 * @returns a function that asks for one, and throws {@link Crowded}
 */
export function batch<Ask, Answer> (
  run: (asks: Ask[]) => Promise<Answer[]>,
  { name, inFlight, most, isolates = () => false, repeats = () => false, admit, patience = 1000, longest = 1000, bound = longestWait, deadlineOf = () => undefined }: BatchOptions<Ask>
): (ask: Ask) => Promise<Answer> {
  /** In the order of their deadlines: without deadlines of their own, in the order asked. */
  let waiting: Array<Waiting<Ask, Answer>> = []
  const starts: number[] = []
  let scheduled = false
  let timer: NodeJS.Timeout | undefined
  let timerDue = Infinity

  function isFull (): boolean {
    if (starts.length < inFlight) return false
    return starts.length > inFlight || performance.now() < lapse()
  }

  /** The instant at which the oldest run exceeds `patience`. */
  function lapse (): number {
    return (starts[0] as number) + patience
  }

  function schedule () {
    if (scheduled || waiting.length === 0) return
    if (isFull()) return wakeLater()
    scheduled = true
    setImmediate(start)
  }

  /** One timer for all asks: a timer for each would keep its objects alive past the young generation. */
  function wakeLater () {
    const due = Math.min(starts.length > inFlight ? Infinity : lapse(), (waiting[0] as Waiting<Ask, Answer>).deadline)
    if (due >= timerDue) return
    clearTimeout(timer)
    timerDue = due
    timer = setTimeout(wake, Math.max(1, due - performance.now()))
  }

  function wake () {
    timerDue = Infinity
    const now = performance.now()
    while (waiting[0] !== undefined && waiting[0].deadline <= now) waiting.shift()?.reject(crowded())
    schedule()
  }

  function start () {
    scheduled = false
    if (waiting.length === 0) return
    const started = performance.now()
    starts.push(started)
    const work = admit === undefined ? runWaiting() : admit(runWaiting)
    work.finally(() => {
      starts.splice(starts.indexOf(started), 1)
      schedule()
    })
    schedule()
  }

  function runWaiting (): Promise<void> {
    const taken = waiting.slice(0, most)
    waiting = waiting.slice(most)
    if (taken.length === 0) return Promise.resolve()
    for (const { told } of taken) if (told !== undefined) told.size = taken.length
    const started = performance.now()
    const settled = settle(taken)
    if (turnRuns.hasSubscribers) settled.then(() => turnRuns.publish({ turn: name, size: taken.length, seconds: (performance.now() - started) / 1000 }))
    return settled
  }

  async function settle (taken: Array<Waiting<Ask, Answer>>): Promise<void> {
    try {
      const answers = await run(taken.map(({ ask }) => ask))
      for (const [index, { resolve }] of taken.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (repeats(error)) {
        waiting = [...taken, ...waiting].sort((a, b) => a.deadline - b.deadline)
      } else if (taken.length > 1 && isolates(error)) {
        for (const one of taken) await settle([one])
      } else {
        for (const { reject } of taken) reject(error)
      }
    }
  }

  // Without a promise more than there must be: this is on the way of every request.
  const enter = (ask: Ask, told?: Asked) => new Promise<Answer>((resolve, reject) => {
    const since = performance.now()
    if (isFull() && waiting[0] !== undefined && since - waiting[0].since > longest) throw crowded()
    const one = { ask, told, since, deadline: deadlineOf(ask) ?? since + bound, resolve, reject }
    waiting.splice(waiting.findLastIndex(({ deadline }) => deadline <= one.deadline) + 1, 0, one)
    schedule()
  })

  return async (ask) => {
    if (!asks.start.hasSubscribers) return await enter(ask)
    const told = { turn: name, size: 0 }
    return await asks.tracePromise(enter, told, undefined, ask, told)
  }
}

function crowded (): Crowded {
  return new Crowded('too many requests wait for the database')
}
