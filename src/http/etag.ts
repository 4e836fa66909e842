import { hash } from 'node:crypto'

/**
 * A short digest of a URL and of the source of its answer. So an ETag is valid for one address, and only until a release changes the answer.
 * @param source digest of the route's answer, see `plugins/page-cache.ts`
 */
export function urlTag (url: string, source: string): string {
  return hash('sha1', source + url, 'base64url').slice(0, 8)
}

/** An ETag: company, revision, address and, for a single record, its version. Every change of an answer changes one of them. */
export function etag (company: number, revision: number, tag: string, version: number | '' = ''): string {
  return `"${company}.${revision}.${tag}.${version}"`
}

/** @returns the ETag in `If-None-Match` with this company, revision and address, if there is one */
export function isFresh (ifNoneMatch: string, company: number, revision: number, tag: string): string | undefined {
  const prefix = `"${company}.${revision}.${tag}.`
  return ifNoneMatch.split(',').map(part => part.trim().replace(/^W\//, '')).find(part => part.startsWith(prefix) && /^\d*"$/.test(part.slice(prefix.length)))
}

/** Whether the caller has seen this version of a record. */
export type Precondition = (version: number) => boolean

/**
 * The precondition of `If-Match`: the record has the version of one of the ETags. Other changes of the company do not matter. Weak ETags are
 * accepted, because proxies that compress answers make them weak.
 */
export function versionPrecondition (ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true
  const versions = new Set(ifMatch.split(',').map(part => Number(/^(?:W\/)?"\d+\.\d+\.[\w-]+\.(\d+)"$/.exec(part.trim())?.[1])))
  return version => versions.has(version)
}

/** The ETag of an answer without a revision: a digest of its bytes. */
export function digestTag (body: string): string {
  return `"${digest(body)}"`
}

/**
 * The ETag of a single record by a digest of its bytes. It has the form of other records' ETags, because `If-Match` reads the version from it.
 * @param of company and revision of the record; omitted for accounts
 */
export function recordTag (body: string, version: number, of: { company: number, revision: number } = { company: 0, revision: 0 }): string {
  return etag(of.company, of.revision, digest(body), version)
}

/** SHA-1 of a text, in base64url. */
export function digest (body: string): string {
  return hash('sha1', body, 'base64url')
}

/** Whether `If-None-Match` contains the ETag or `*`. */
export function isNamed (ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').map(part => part.trim().replace(/^W\//, '')).some(part => part === tag || part === '*')
}
