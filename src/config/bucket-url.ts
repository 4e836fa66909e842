/** A bucket of an S3-compatible service. */
export interface Bucket {
  name: string
  /** Beginning of all keys: empty, or with a final slash. */
  prefix: string
  region: string | undefined
  /** Origin of the service; undefined for AWS. */
  endpoint: string | undefined
  /** Origin of the service for clients, if it is another one. */
  publicEndpoint: string | undefined
}

const nameForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixForm = /^(?:\/[\w-][\w.-]*)*\/?$/
const regionForm = /^[\w-]+$/
const parameters = ['region', 'endpoint', 'public-endpoint']

/**
 * Reads a URL such as `s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.mx`.
 * @returns undefined for another form. A URL with credentials has another form, because logs and `ps` show URLs.
 */
export function bucketOf (url: string): Bucket | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, host, pathname, searchParams, username, password, hash } = new URL(url)
  if (protocol !== 's3:' || username + password + hash !== '' || !nameForm.test(host) || !prefixForm.test(pathname)) return undefined
  const names = [...searchParams.keys()]
  if (names.some(name => !parameters.includes(name)) || new Set(names).size < names.length) return undefined
  const [region, endpoint, publicEndpoint] = parameters.map(name => searchParams.get(name) ?? undefined)
  if (region !== undefined && !regionForm.test(region)) return undefined
  if (![endpoint, publicEndpoint].every(origin => origin === undefined || isOrigin(origin))) return undefined
  return { name: host, prefix: pathname.replace(/^\//, '').replace(/(?<=[^/])$/, '/'), region, endpoint, publicEndpoint }
}

function isOrigin (text: string): boolean {
  return /^https?:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text)
}
