import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIP, type LookupFunction } from 'node:net'
import t, { type Test } from 'tap'
import { dnsResolver, publicLookup } from '../../../../src/jobs/webhooks/lookup.ts'

const code = { 1: 'A', 28: 'AAAA' } as const
const refused = { code: 'ADDRESS_REFUSED' }

/** A DNS server with those records. @returns its address */
async function dnsServer (t: Test, records: Record<string, Array<Buffer>>): Promise<string> {
  const server: Socket = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4) as keyof typeof code
    const found = records[code[type]] ?? []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(found.length === 0 ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(found.length, 6)
    header.writeUInt32BE(0, 8)
    const answers = found.map(data => Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]))
    server.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `127.0.0.1:${server.address().port}`
}

/** The addresses that a socket would connect to. */
async function found (lookup: LookupFunction, name: string, all = true): Promise<unknown> {
  return await new Promise((resolve, reject) => lookup(name, { all }, (error, ...found) => error === null ? resolve(found) : reject(error)))
}

t.test('DNS gives up to four addresses per family, IPv4 first', async (t) => {
  const six = Buffer.from('26064700000000000000000000001111', 'hex')
  const { resolve } = dnsResolver([await dnsServer(t, { A: [1, 2, 3, 4, 5].map(last => Buffer.from([1, 1, 1, last])), AAAA: [six] })])
  const addresses = await resolve('receiver.example')
  t.equal(addresses.length, 5)
  t.strictSame(addresses.map(isIP), [4, 4, 4, 4, 6])
  t.strictSame(await dnsResolver([await dnsServer(t, { AAAA: [six] })]).resolve('receiver.example'), ['2606:4700::1111'])
})

t.test('a name without addresses and a lost server are errors', async (t) => {
  await t.rejects(dnsResolver([await dnsServer(t, {})]).resolve('receiver.example'), { code: 'ENOTFOUND' })
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { resolve, cancel } = dnsResolver([`127.0.0.1:${silent.address().port}`])
  const waiting = resolve('receiver.example')
  await once(silent, 'message')
  cancel()
  await t.rejects(waiting, { code: 'ECANCELLED' })
})

t.test('a look-up gives public addresses only', async (t) => {
  let addresses: string[]
  const lookup = publicLookup(async () => addresses)
  addresses = ['1.1.1.1', '2606:4700::1111']
  t.same(await found(lookup, 'receiver.example'), [[{ address: '1.1.1.1', family: 4 }, { address: '2606:4700::1111', family: 6 }]])
  t.same(await found(lookup, 'receiver.example', false), ['1.1.1.1', 4])
  for (addresses of [['10.0.0.1'], ['1.1.1.1', '10.0.0.1'], ['10.0.0.1', '1.1.1.1'], ['1.1.1.1', '::ffff:1.1.1.1'], ['127.0.0.1'], ['::1'], ['fe80::1%eth0'], ['not an address'], []]) {
    for (const all of [true, false]) await t.rejects(found(lookup, 'receiver.example', all), refused, String(addresses))
  }
})

t.test('names below localhost are not resolved', async (t) => {
  const lookup = publicLookup(async () => { throw new Error('resolved') })
  t.same(await found(lookup, 'erp.localhost'), [[{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }]])
  await t.rejects(found(lookup, 'localhost.example'), { message: 'resolved' })
})
