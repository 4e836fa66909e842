import { Socket, type LookupFunction } from 'node:net'
import type { Test } from 'tap'

interface Options { host?: string, port?: number, lookup?: LookupFunction }

/**
 * Until the end of the test, records where sockets would connect to and connects them to a port of this machine instead, so that no packet
 * leaves it, whatever the test finds.
 * @param port for all destinations except `ports`
 * @param ports keep their number
 * @returns the destinations so far, as `address:port`. A name whose look-up fails is not among them; one without a look-up of its own is
 */
export function recordConnections (t: Test, port: number, ports: number[]): string[] {
  const destinations: string[] = []
  const original = Socket.prototype.connect as (...args: unknown[]) => Socket
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    // Node's own modules pass their options as they are, or as the first item of an array.
    const given = (Array.isArray(args[0]) ? args[0][0] : args[0]) as Options
    const { host = 'localhost', port: asked = 0, lookup } = given
    const record = (...addresses: string[]) => { destinations.push(...addresses.map(address => `${address}:${asked}`)) }
    const options = { ...given, host: '127.0.0.1', port: ports.includes(Number(asked)) ? Number(asked) : port }
    if (lookup === undefined || /^[\d.]+$|:/.test(host)) record(host)
    else Object.assign(options, { host, lookup: recorded(lookup, record) })
    if (Array.isArray(args[0])) args[0][0] = options
    else args[0] = options
    return original.apply(this, args)
  }
  t.teardown(() => { Socket.prototype.connect = original })
  return destinations
}

function recorded (lookup: LookupFunction, record: (...addresses: string[]) => void): LookupFunction {
  return (name, options, callback) => lookup(name, options, (error, found) => {
    if (error !== null) return callback(error, [])
    record(...[found].flat().map(found => typeof found === 'string' ? found : found.address))
    if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
    else callback(null, '127.0.0.1', 4)
  })
}
