import type { Row, Sql, Statement } from '../../database/connection/sql.ts'
import { inCompany, type Run, type UnitDatabase } from '../../database/turns/unit-of-work.ts'
import type { FileStorage } from '../../domain/adjuntos/destination.ts'
import { StoreError } from '../../domain/adjuntos/file-store.ts'
import { partialDays } from '../../domain/adjuntos/resume.ts'

/** Days after which an attachment without bytes is deleted. */
const pendingDays = 30

/** Hours for which bytes outlive their last attachment. So a copy of the folder has the bytes of a database that was dumped before it. */
const unusedHours = 24

/** Minutes after which a request for an upload has ended in any case. It is cut after one minute. */
const uploadMinutes = 60

/** Days after which no row leads to the bytes of a resumable upload. */
const sweptDays = partialDays + 1

const companiesAtOnce = 500

/** Rows that one transaction writes. */
const rowsAtOnce = 100

/** Files that one transaction removes at most, and ms after which it removes no further one, because it holds the lock of their company. */
const removedAtOnce = 10
const removalMs = 1000

const ago = (interval: string) => `statement_timestamp() - interval '${interval}'`
const lastActive = 'coalesce(u.active_at, u.begun_at)'

/**
 * SQL over `uploads u`: no request continues it. A resumable upload is abandoned when it expires, or an hour after its last request if its
 * attachment is gone or has its bytes from another upload.
 */
const abandonedUploads = `(${lastActive} <= ${ago(`${partialDays} days`)}
  or (${lastActive} <= ${ago(`${uploadMinutes} minutes`)} and (u.adjunto_id is null or exists (
    select from adjuntos a where a.company_id = u.company_id and a.id = u.adjunto_id and a.estado = 'listo'))))`
const unusedFiles = `unused_since <= ${ago(`${unusedHours} hours`)}`
const marked = 'unused_since is not null and removing'

/** SQL over `adjuntos a`: it waited too long for its bytes, and no resumable upload brings them. */
const pendingRecords = `a.estado = 'pendiente' and a.created_at <= ${ago(`${pendingDays} days`)} and not exists (
  select from uploads u where u.company_id = a.company_id and u.adjunto_id = a.id)`

/** Where bytes are removed. */
type Stores = Pick<FileStorage, 'store' | 'partials'>

/** What a run has removed. */
interface Cleaned {
  records: number
  uploads: number
  files: number
}

/** The files of a company that are removed. */
interface Removal extends Stores {
  company: number
  /** Errors of files that could not be removed, by their hash. Their rows stay for the next run. */
  failures: Map<string, unknown>
}

/**
 * Deletes attachments that waited too long for their bytes, and removes bytes that no attachment uses, and those of abandoned uploads. Each
 * step holds the lock of the company, as uploads do at their end, so several processes can run it at once.
 * @param signal ends the run before its next step
 * @throws {StoreError} at once. A service that does not answer would keep the lock of each company for the time of a timeout.
 * @throws the first other error, after everything else is cleaned
 */
export async function cleanFiles (database: UnitDatabase & { sql: Sql }, stores: Stores, signal?: AbortSignal): Promise<Cleaned> {
  const nothing: Cleaned = { records: 0, uploads: 0, files: 0 }
  const total = { ...nothing }
  const errors: unknown[] = []
  const note = (error: unknown): undefined => {
    signal?.throwIfAborted()
    if (error instanceof StoreError) throw error
    errors.push(error)
  }
  await stores.store.sweep(uploadMinutes * 60_000).catch(note)
  await stores.partials.sweep(sweptDays * 24 * 60 * 60_000).catch(note)
  for await (const company of companiesWithWork(database.sql)) {
    const { records, uploads, files } = await cleanCompany(database, stores, company, signal).catch(note) ?? nothing
    total.records += records
    total.uploads += uploads
    total.files += files
  }
  if (errors.length > 0) throw errors[0]
  return total
}

/** @throws the first error of a file that could not be removed, after the others are removed */
async function cleanCompany (database: UnitDatabase, stores: Stores, company: number, signal?: AbortSignal): Promise<Cleaned> {
  /** Repeats a step until it finds no rows. @returns their sum */
  const repeat = async (step: (run: Run) => Promise<number>): Promise<number> => {
    for (let sum = 0; ;) {
      signal?.throwIfAborted()
      const count = await inCompany(database, company, async ({ run }) => await step(run))
      if (count === 0) return sum
      sum += count
    }
  }
  const removal: Removal = { ...stores, company, failures: new Map() }
  const uploads = await repeat(async run => await removeUploads(run, removal))
  const records = await repeat(async run => (await run(deletion(company))).length)
  // A new attachment does not use these bytes any more, even if this process is killed after it has removed them.
  await repeat(async run => (await run(marking(company))).length)
  const files = await repeat(async run => await removeFiles(run, removal))
  const [failure] = removal.failures.values()
  if (failure !== undefined) throw failure
  return { records, uploads, files }
}

async function * companiesWithWork (sql: Sql): AsyncGenerator<number> {
  for (let after = 0; ;) {
    const companies = (await sql.query({
      text: `select company_id as id from company_revisions where company_id > $1 order by company_id limit ${companiesAtOnce}`,
      values: [after]
    })).map(({ id }): number => id)
    if (companies.length === 0) return
    after = companies[companies.length - 1]
    const [rows] = await sql.within(companies, 'read only', [{
      text: `
        select c.id from unnest($1::int[]) c (id)
        where exists (select from adjuntos a where a.company_id = c.id and ${pendingRecords} offset 0)
          or exists (select from uploads u where u.company_id = c.id and ${abandonedUploads} offset 0)
          or exists (select from stored_files f where f.company_id = c.id and ${unusedFiles} offset 0)`,
      values: [companies]
    }])
    yield * (rows ?? []).map(({ id }): number => id)
  }
}

function deletion (company: number): Statement {
  return {
    text: `delete from adjuntos where company_id = $1 and ctid = any (array(
      select a.ctid from adjuntos a where a.company_id = $1 and ${pendingRecords} limit ${rowsAtOnce})) returning id`,
    values: [company]
  }
}

function marking (company: number): Statement {
  return {
    text: `update stored_files set removing = true where company_id = $1 and sha256 = any (array(
      select f.sha256 from stored_files f where f.company_id = $1 and f.${unusedFiles} and not f.removing and not exists (
        select from adjuntos a where a.company_id = f.company_id and a.sha256 = f.sha256 and a.estado = 'listo')
      limit ${rowsAtOnce})) returning 1`,
    values: [company]
  }
}

/** Forgets abandoned uploads. Their process may have stored the bytes without a commit. @returns the number of files, also of failures */
async function removeUploads (run: Run, removal: Removal): Promise<number> {
  const { company, failures } = removal
  const uploads = await run({
    text: `
      select u.id, u.sha256, exists (select from stored_files f where f.company_id = u.company_id and f.sha256 = u.sha256) as known
      from uploads u where u.company_id = $1 and ${abandonedUploads} and u.sha256 <> all ($2) limit ${removedAtOnce}`,
    values: [company, [...failures.keys()]]
  })
  const tried = await whileInTime(uploads, async ({ id, sha256, known }) => {
    await removePartial(removal, id, sha256)
    if (known === false) await removeStored(removal, sha256)
  })
  const removed = tried.filter(({ sha256 }) => !failures.has(sha256)).map(({ id }) => id)
  await run({ text: 'delete from uploads where company_id = $1 and id = any ($2)', values: [company, removed] })
  return tried.length
}

/** Removes bytes that are marked. If the commit fails, the mark stays, and the next run repeats it. @returns as {@link removeUploads} */
async function removeFiles (run: Run, removal: Removal): Promise<number> {
  const { company, failures } = removal
  const files = await run({
    text: `select sha256 from stored_files where company_id = $1 and ${marked} and sha256 <> all ($2) limit ${removedAtOnce}`,
    values: [company, [...failures.keys()]]
  })
  const tried = await whileInTime(files, async ({ sha256 }) => await removeStored(removal, sha256))
  const removed = tried.map(({ sha256 }) => sha256).filter(sha256 => !failures.has(sha256))
  await run({ text: `delete from stored_files where company_id = $1 and sha256 = any ($2) and ${marked}`, values: [company, removed] })
  return tried.length
}

/** Removes the files of rows, at least one, until {@link removalMs} have passed. @returns the rows whose files it has tried to remove */
async function whileInTime (rows: Row[], remove: (row: Row) => Promise<void>): Promise<Row[]> {
  const end = performance.now() + removalMs
  for (const [index, row] of rows.entries()) {
    await remove(row)
    if (performance.now() > end) return rows.slice(0, index + 1)
  }
  return rows
}

async function removeStored ({ store, company, failures }: Removal, sha256: string): Promise<void> {
  await store.remove({ company, sha256 }).catch(error => noteFailure(failures, sha256, error))
}

/** @param id of a resumable upload. Other ones have no bytes there. */
async function removePartial ({ partials, failures }: Removal, id: string, sha256: string): Promise<void> {
  await partials.remove(id).catch(error => noteFailure(failures, sha256, error))
}

/** Keeps the error of a file, so that the others are removed. @throws {StoreError} */
function noteFailure (failures: Removal['failures'], sha256: string, error: unknown): void {
  if (error instanceof StoreError) throw error
  failures.set(sha256, error)
}
