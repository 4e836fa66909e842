import { StoreError, type FileKey, type FileStore } from '../../domain/adjuntos/file-store.ts'
import { listed } from '../listed.ts'
import { findingsOf, type Finding } from './finding.ts'
import { admitAll, admitNone, type Query } from './query.ts'

/** Files that are compared with one statement, and sizes that are read at once. */
const filesAtOnce = 1000
const sizesAtOnce = 20

const check = findingsOf('files')
const nameOf = ({ company, sha256 }: FileKey) => `${company}/${sha256}`

/** Compares the files that the database knows with those in the store. Run it without uploads: their files change meanwhile. */
export async function examineFiles (query: Query, store: FileStore): Promise<Finding[]> {
  await query(admitAll)
  const [row] = await query(`
    select count(*)::int as n from adjuntos a
    where a.estado = 'listo' and not exists (
      select from stored_files f
      where f.company_id = a.company_id and f.sha256 = a.sha256 and f.bytes = a.bytes and not f.removing)`)
  const compared = await compare(query, store).catch((error) => {
    if (error instanceof StoreError) return error.message
    throw error
  })
  await query(admitNone)
  if (typeof compared === 'string') return [check.failed(compared)]
  const { lost, unknown } = compared
  const findings: Finding[] = []
  if (row?.['n'] > 0) {
    findings.push(check.failed(`${row?.['n']} attachments are \`listo\` without a stored file: restore database and files from one backup`))
  }
  const { place } = store
  if (lost.length > 0) findings.push(check.failed(`missing in ${place}, or of another size: ${listed(lost)}; copy them from a backup`))
  if (unknown.length > 0) findings.push(check.warning(`of no attachment in ${place}: ${listed(unknown)}`))
  return findings.length > 0 ? findings : [check.ok('the files of all attachments are there, and no others')]
}

async function compare (query: Query, store: FileStore): Promise<{ lost: string[], unknown: string[] }> {
  return { lost: await missing(query, store), unknown: await unknownKeys(query, store) }
}

async function missing (query: Query, store: FileStore): Promise<string[]> {
  const found: string[] = []
  let after: string | undefined = "0, ''"
  while (after !== undefined) {
    const rows: Array<FileKey & { bytes: number }> = await query(`
      select company_id as company, sha256, bytes from stored_files
      where (company_id, sha256) > (${after}) and not removing order by company_id, sha256 limit ${filesAtOnce}`)
    for (let start = 0; start < rows.length; start += sizesAtOnce) {
      const some = rows.slice(start, start + sizesAtOnce)
      const sizes = await Promise.all(some.map(async key => await store.sizeOf(key)))
      found.push(...some.filter(({ bytes }, index) => sizes[index] !== bytes).map(nameOf))
    }
    const last: FileKey | undefined = rows.at(-1)
    after = last && `${last.company}, '${last.sha256}'`
  }
  return found
}

async function unknownKeys (query: Query, store: FileStore): Promise<string[]> {
  const found: string[] = []
  let keys: FileKey[] = []
  const look = async () => {
    const valid = keys.filter(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))
    const values = valid.map(({ company, sha256 }) => `(${company}, '${sha256}')`)
    const known = values.length === 0
      ? []
      : await query<FileKey>(`select company_id as company, sha256 from stored_files where (company_id, sha256) in (${values.join()})`)
    const names = new Set(known.map(nameOf))
    found.push(...keys.map(nameOf).filter(name => !names.has(name)))
    keys = []
  }
  for await (const key of store.keys()) {
    keys.push(key)
    if (keys.length === filesAtOnce) await look()
  }
  await look()
  return found
}
