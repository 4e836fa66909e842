import { hash } from 'node:crypto'

/**
 * A short digest of a URL and of what its answer is made from, so that an ETag holds for one address, and only until a release changes
 * the answer.
 * @param source digest of the route's answer, see plugins/page-cache.ts
 */
export function urlTag (url: string, source: string): string {
  return hash('sha1', source + url, 'base64url').slice(0, 8)
}

/** An ETag: company, revision and address, and for a single record its version. All that an answer shows changes one of them. */
export function etag (company: number, revision: number, tag: string, version: number | '' = ''): string {
  return `"${company}.${revision}.${tag}.${version}"`
}

/** Whether `If-None-Match` names an ETag of this company, revision and address. */
export function isFresh (ifNoneMatch: string, company: number, revision: number, tag: string): string | undefined {
  const prefix = `"${company}.${revision}.${tag}.`
  return ifNoneMatch.split(',').map(part => part.trim().replace(/^W\//, '')).find(part => part.startsWith(prefix) && /^\d*"$/.test(part.slice(prefix.length)))
}

/** Tells whether a record's version is one that the caller made up its mind on. */
export type Precondition = (version: number) => boolean

/**
 * The precondition that `If-Match` states: the record has one of the ETags' versions, whatever else of the company has changed.
 * Weak ETags count as strong ones: proxies that compress weaken ours on the way.
 */
export function versionPrecondition (ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true
  const versions = new Set(ifMatch.split(',').map(part => Number(/^(?:W\/)?"\d+\.\d+\.[\w-]+\.(\d+)"$/.exec(part.trim())?.[1])))
  return version => versions.has(version)
}

/** The ETag of an answer that no revision covers: a digest of its bytes. */
export function digestTag (body: string): string {
  return `"${digest(body)}"`
}

/**
 * The ETag of a single record by a digest of its bytes, in the form of every record's, because `If-Match` reads the version from it.
 * @param of the record's company and its revision; none for accounts
 */
export function recordTag (body: string, version: number, of: { company: number, revision: number } = { company: 0, revision: 0 }): string {
  return etag(of.company, of.revision, digest(body), version)
}

/** The SHA-1 of a text, in base64url. */
export function digest (body: string): string {
  return hash('sha1', body, 'base64url')
}

/** Whether `If-None-Match` names that ETag, or any. */
export function isNamed (ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').map(part => part.trim().replace(/^W\//, '')).some(part => part === tag || part === '*')
}
