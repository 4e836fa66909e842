/** A record of the feed. */
export interface FeedRecord {
  id: number
  version: number
  [field: string]: unknown
}

/** A page of the feed. */
export interface Page {
  changes: Array<{ resource: string, id: number, revision: number, record?: FeedRecord, deleted?: true }>
  cursor: string
  has_more: boolean
  revision: number
  counts?: Record<string, number>
}

/** Answer to a GET of the feed. */
export interface FeedAnswer {
  statusCode: number
  json: () => any
}

/** A device that keeps a copy of a company's records, as the specification describes it. */
export class Device {
  readonly records = new Map<string, FeedRecord>()
  cursor: string | undefined
  /** The revision that the copy shows, or undefined in the middle of a synchronization. */
  revision: number | undefined
  /** Reasons for which it had to start again. */
  readonly resyncs: string[] = []
  /** What the feed must never do. */
  readonly faults: string[] = []
  /** The value of the parameter `resources`. */
  readonly resources: string | undefined
  readonly #get: (url: string) => Promise<FeedAnswer>

  /** @param get sends a GET below `/api/v1/` @param resources value of the parameter */
  constructor (get: (url: string) => Promise<FeedAnswer>, resources?: string) {
    this.#get = get
    this.resources = resources
  }

  /** Reads one page. @returns whether the device now has the state of a revision */
  async step (size = 500): Promise<boolean> {
    const query = new URLSearchParams({ page_size: String(size), ...this.cursor === undefined ? {} : { cursor: this.cursor }, ...this.resources === undefined ? {} : { resources: this.resources } })
    const answer = await this.#get(`changes/?${query}`)
    if (answer.statusCode === 410) {
      this.resyncs.push(answer.json().reason)
      this.records.clear()
      this.cursor = this.revision = undefined
      return false
    }
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${JSON.stringify(answer.json())}`)
    this.#apply(answer.json())
    return this.revision !== undefined
  }

  /** Reads pages until the device has the state of a revision. */
  async sync (size?: number): Promise<void> {
    while (!await this.step(size)) continue
  }

  #apply (page: Page): void {
    const keys = page.changes.map(({ resource, id }) => `${resource}/${id}`)
    if (new Set(keys).size < keys.length) this.faults.push('a record twice on a page')
    const revisions = page.changes.map(({ revision }) => revision)
    if (revisions.some((revision, index) => revision < (revisions[index - 1] ?? 0))) this.faults.push('changes out of order')
    if (revisions.some(revision => revision > page.revision)) this.faults.push('a change after the revision of the page')
    for (const [index, { id, record, deleted }] of page.changes.entries()) {
      const key = keys[index]
      if (deleted === true) {
        this.records.delete(key)
      } else if (record === undefined || record.id !== id) {
        this.faults.push(`${key} has no record`)
      } else if (record.version >= (this.records.get(key)?.version ?? 0)) {
        this.records.set(key, record)
      }
    }
    this.cursor = page.cursor
    this.revision = page.has_more ? undefined : page.revision
    if (page.has_more !== (page.counts === undefined)) this.faults.push('counts are on the last page, and only there')
    for (const [resource, count] of Object.entries(page.counts ?? {})) {
      const own = [...this.records.keys()].filter(key => key.startsWith(`${resource}/`)).length
      if (own !== count) this.faults.push(`${own} ${resource} instead of ${count}`)
    }
  }
}
