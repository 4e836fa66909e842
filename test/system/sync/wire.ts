import type { Edit, Ledger } from './ledger.ts'

/** A mutation as a phone has sent it. */
export interface Sent {
  content: { id: number, op: string, resource: string, record?: number | { ref: string }, ref?: string, base?: Record<string, unknown>, body?: Record<string, unknown> }
  /** The answers that the phone has got, in order. */
  answers: Array<{ tick: number, timeline: number, status: number, text: string, id: number | undefined }>
}

/** A last page of the feed that a phone has got. */
interface Shown {
  copy: number
  asked: number
  timeline: number
}

/** The requests and answers of one phone, also of its earlier processes. */
export class Wire {
  readonly #ledger: Ledger
  /** Mutations by device and id. */
  readonly sent = new Map<string, Sent>()
  /** Mutations by the edits that they carry. */
  readonly carriers = new Map<Edit, Set<Sent>>()
  /** Edits of other phones that this one has seen. */
  readonly seen = new Set<Edit>()
  /** What no correct client or server does. */
  readonly faults: string[] = []
  /** Number of edits that were answered. */
  answered = 0
  /** Last pages. */
  readonly shown: Shown[] = []
  /** Copies by cursor, and their companies. */
  readonly #copies = new Map<string, number>()
  readonly #companies = new Map<number, number>()
  /** Whether the phone has a complete copy, and no server has asked for another one. */
  #isComplete = false
  /** The active company in the last answer that had it. The store keeps no page of another one. */
  #company: number | null | undefined
  /** When the phone last asked for the active company, changed it, or got it in an answer. */
  #companyAt = 0
  #tick = 0

  constructor (ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Records a request. @returns its time */
  request (url: URL, body: string): number {
    if (url.pathname.endsWith('/mutations/')) this.#send(JSON.parse(body))
    if (url.pathname.endsWith('/me/')) this.#noteCompany()
    if (url.pathname.endsWith('/changes/') && !url.searchParams.has('cursor') && this.#isComplete) this.faults.push('it copied all records again without a reason')
    return ++this.#tick
  }

  /** Records a crash: the last answer can be lost. */
  crash (): void {
    this.#isComplete = false
  }

  #send ({ device, mutations }: { device: string, mutations: Array<Sent['content']> }): void {
    for (const content of mutations) {
      const key = `${device}/${content.id}`
      const known = this.sent.get(key)
      if (known !== undefined && JSON.stringify(known.content) !== JSON.stringify(content)) this.faults.push(`the id of ${JSON.stringify(known.content)} was used for ${JSON.stringify(content)}`)
      const sent = known ?? { content, answers: [] }
      this.sent.set(key, sent)
      for (const edit of this.#ledger.in(JSON.stringify(content.body ?? {}))) this.carriers.set(edit, (this.carriers.get(edit) ?? new Set()).add(sent))
    }
  }

  /** Records an answer that the phone gets. @param asked time of the request @param timeline number of restores before it */
  answer (url: URL, body: string, status: number, text: string, asked: number, timeline: number): void {
    for (const edit of this.#ledger.in(text)) this.seen.add(edit)
    const tick = ++this.#tick
    if (url.pathname.endsWith('/me/')) this.#noteCompany()
    if (status === 409 || status === 410) this.#isComplete = false
    if (status !== 200) return
    if (url.pathname.endsWith('/me/')) this.#company = JSON.parse(text).company
    if (url.pathname.endsWith('/mutations/')) {
      const [{ device, cursor }, answer] = [JSON.parse(body), JSON.parse(text)]
      this.#copyOf(cursor, answer.cursor)
      this.#keepResults(device, answer.results, tick, timeline)
    }
    if (!url.pathname.endsWith('/changes/')) return
    const page = JSON.parse(text)
    const copy = this.#copyOf(url.searchParams.get('cursor'), page.cursor)
    for (const { record } of page.changes) if (record !== undefined) this.#companies.set(copy, record.company)
    if (page.has_more === false) this.shown.push({ copy, asked, timeline })
    this.#isComplete = page.has_more === false && page.company === this.#company && asked > this.#companyAt
  }

  #noteCompany (): void {
    this.#isComplete = false
    this.#companyAt = ++this.#tick
  }

  /** The number of the copy that a cursor continues. Cursors are opaque, so each is known from the one before. */
  #copyOf (cursor: string | null, next: string): number {
    const copy = this.#copies.get(cursor ?? '') ?? this.#copies.size + 1
    this.#copies.set(next, copy)
    return copy
  }

  #keepResults (device: string, results: Array<{ id: number, status: number, code?: string, replayed?: boolean, record?: { id: number } }>, tick: number, timeline: number): void {
    for (const { replayed, ...result } of results) {
      const sent = this.sent.get(`${device}/${result.id}`) as Sent
      const text = JSON.stringify(result)
      if (result.status === 422 || result.code === 'already_acknowledged') this.faults.push(`${JSON.stringify(sent.content)} was answered by ${text}`)
      const before = sent.answers.findLast(answer => answer.timeline === timeline)
      if (before !== undefined && before.text !== text) this.faults.push(`${JSON.stringify(sent.content)} was answered by ${before.text}, then by ${text}`)
      this.answered++
      sent.answers.push({ tick, timeline, status: result.status, text, id: result.record?.id })
    }
  }

  /** Whether the phone has seen the mutation accepted, then a page of the same timeline. @param timelines only these count */
  isConfirmed ({ answers }: Sent, company: number, timelines: (timeline: number) => boolean): boolean {
    return answers.some(({ status, tick, timeline }) => status < 300 && timelines(timeline) &&
      this.shown.some(page => this.#companies.get(page.copy) === company && page.timeline === timeline && page.asked > tick))
  }
}
