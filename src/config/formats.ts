import { isTrust } from './trusted-proxies.ts'
import { bucketOf } from './bucket-url.ts'

const urlParameter = '(host|ssl(mode|rootcert|cert|key))=[^&#]*'

/** The form of `DATABASE_URL`. */
export const databaseUrl = new RegExp(`^postgres(ql)?:\\/\\/[^/?#]*\\/[^/?#]+(\\?${urlParameter}(&${urlParameter})*)?$`)

/** The formats of variables in the schema, by name. */
export const formats = { addresses: isTrust, bucket: isBucket, ports: isPortList, proxy: isProxy, replicas: isReplicaList }

function isPortList (text: string): boolean {
  return text.split(',').every(port => /^ *[1-9]\d{0,4} *$/.test(port) && Number(port) <= 65535)
}

/** The URLs of `DATABASE_REPLICAS`. A comma in a password is written `%2C`. */
export function urlsOf (list = ''): string[] {
  return list === '' ? [] : list.split(',').map(url => url.trim())
}

function isReplicaList (text: string): boolean {
  return urlsOf(text).every(url => databaseUrl.test(url))
}

function isBucket (text: string): boolean {
  return bucketOf(text) !== undefined
}

/** Whether a text is `http://` with a host and a port, and at most a user name and a password. */
function isProxy (text: string): boolean {
  return /^http:\/\/(([^\s/?#@%]|%[\da-f]{2})+@)?[^\s/?#@]+:\d+$/i.test(text) && URL.canParse(text)
}
