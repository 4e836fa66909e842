import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../domain/webhooks/addresses.ts'
import { isLoopbackHost } from '../../domain/webhooks/target.ts'

/**
 * Finds the addresses of a name.
 * @throws if the name has none
 */
export type Resolve = (name: string) => Promise<string[]>

/**
 * Addresses per family to connect to. A receiver chooses the addresses of its name, so more would let it aim many connections at others.
 */
const maxLookups = 4

/**
 * Asks DNS. The system's own look-up would wait in the thread pool, which also hashes passwords, so slow name servers of a few receivers
 * would delay log-ins. It would also know names of the local network.
 * @param servers addresses of DNS servers. Default: those of the system
 */
export function dnsResolver (servers?: string[]): { resolve: Resolve, cancel: () => void } {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return {
    async resolve (name) {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = [four, six].flatMap(answer => answer.status === 'fulfilled' ? answer.value.slice(0, maxLookups) : [])
      if (addresses.length === 0 && four.status === 'rejected') throw four.reason
      return addresses
    },
    cancel: () => resolver.cancel()
  }
}

/**
 * Look-up for sockets. It refuses a name with any address that is not public, and the socket connects to the very addresses it returns.
 * Names below `localhost` are the loopback addresses and are not resolved.
 */
export function publicLookup (resolve: Resolve): LookupFunction {
  return (name, { all }, callback) => {
    publicAddresses(name, resolve).then((addresses) => {
      const found = addresses.map(address => ({ address, family: isIP(address) }))
      const [{ address, family }] = found
      if (all === true) callback(null, found)
      else callback(null, address, family)
    }, (error) => callback(error, []))
  }
}

async function publicAddresses (name: string, resolve: Resolve): Promise<string[]> {
  if (isLoopbackHost(name)) return ['127.0.0.1', '::1']
  const addresses = await resolve(name)
  if (addresses.every(isPublicAddress) && addresses.length > 0) return addresses
  throw Object.assign(new Error(`${name} has an address that is not public`), { code: 'ADDRESS_REFUSED' })
}
