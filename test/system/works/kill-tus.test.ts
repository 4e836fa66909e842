import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { described, fileOf } from '../../support/attaching.ts'
import { demoPlace, type Place } from '../../support/process.ts'
import { server as postgres } from '../../support/template.ts'
import { beginPart, sendByTus } from '../../support/tus.ts'
import { until } from '../../support/until.ts'
import { serving } from './serving.ts'

/** Starts a server. @returns it, and the resumable uploads of its attachments */
async function resuming (place: Place) {
  const server = await serving(t, place)
  const { access } = await server.json('POST', 'api-token-auth/', { email: 'director@demo.example', password: demoPassword })
  return {
    ...server,
    target: (id: number) => ({ url: `${server.origin}/api/v1/adjuntos/${id}/contenido/`, token: access as string }),
    offset: async (id: number) => {
      const headers = { 'tus-resumable': '1.0.0', authorization: `Bearer ${access}` }
      return Number((await fetch(`${server.origin}/api/v1/adjuntos/${id}/contenido/`, { method: 'HEAD', headers })).headers.get('upload-offset'))
    },
    bytes: async (id: number) => Buffer.from(await (await server.send('GET', `adjuntos/${id}/contenido/`) as Response).arrayBuffer())
  }
}

/** When the server is killed, as parts of the time of an upload that is not killed. */
const kills = [0.3, 0.6, 0.85, 0.95, 1]

t.test('kill -9 in a resumable upload: what has arrived is kept, and the rest completes it', async (t) => {
  const place = await demoPlace(t)
  const folder = join(place.dataDir, 'files')
  let server = await resuming(place)
  const { id: contract } = await server.json('POST', 'contracts/', { folio: 'KILL-TUS' })
  const make = async (file: Buffer): Promise<number> => (await server.json('POST', 'adjuntos/', { ...described(file, 'image/jpeg'), contract })).id
  const restart = async () => {
    server.signal('SIGKILL')
    await server.ended
    // A temporary file that a killed server left is removed when it is an hour old.
    for (const name of readdirSync(join(folder, 'incoming'))) if (!name.endsWith('.part')) utimesSync(join(folder, 'incoming', name), 0, 0)
    server = await resuming(place)
  }
  const large = (name: string) => fileOf('image/jpeg', name, 8_000_000)
  const files = new Map<number, Buffer>()

  const half = large('a la mitad')
  const interrupted = await make(half)
  files.set(interrupted, half)
  const { answer } = beginPart(server.target(interrupted), half, 5_000_000)
  await until(async () => await server.offset(interrupted) === 5_000_000)
  await restart()
  t.equal(await answer, undefined)
  t.equal(await server.offset(interrupted), 5_000_000, 'every byte that had arrived is there')
  t.strictSame(await sendByTus(server.target(interrupted), half), { offsets: [5_000_000] })

  const first = large('sin interrupción')
  const whole = await make(first)
  files.set(whole, first)
  const began = performance.now()
  t.equal((await sendByTus(server.target(whole), first, 1_000_000)).error, undefined)
  const time = performance.now() - began

  for (const part of kills) {
    const file = large(`interrumpida ${part}`)
    const id = await make(file)
    files.set(id, file)
    let acknowledged = 0
    const sending = sendByTus(server.target(id), file, 1_000_000, { retryDelays: null, onChunkComplete: (_size, bytes) => { acknowledged = bytes } })
    await sleep(time * part)
    await restart()
    const { error } = await sending
    const { estado } = await server.json('GET', `adjuntos/${id}/`)
    const offset = await server.offset(id)
    t.ok(offset >= Math.min(acknowledged, file.length - 1), `${acknowledged} bytes were acknowledged, ${offset} are there`)
    if (error === undefined) t.equal(estado, 'listo', 'an upload that was answered is kept')
    t.equal(offset === file.length, estado === 'listo')
    t.equal((await sendByTus(server.target(id), file)).error, undefined)
  }
  for (const [id, file] of files) t.ok((await server.bytes(id)).equals(file))
  await until(() => readdirSync(join(folder, 'incoming')).every(name => name.endsWith('.part')))
  // A server that was killed after the commit leaves the bytes of the upload. They are removed when no row can lead to them.
  for (const name of readdirSync(join(folder, 'incoming'))) utimesSync(join(folder, 'incoming', name), 0, 0)
  await restart()
  await until(() => readdirSync(join(folder, 'incoming')).length === 0)
  const stored = readdirSync(folder).filter(name => name !== 'incoming').flatMap(company => readdirSync(join(folder, company)))
  t.equal(stored.length, files.size, 'nothing else is stored')
  await server.end()
})

t.test('two servers share a resumable upload', { skip: postgres === undefined && 'only one process can open the embedded database' }, async (t) => {
  const place = await demoPlace(t)
  const [first, second] = [await resuming(place), await resuming(place)]
  const { id: contract } = await first.json('POST', 'contracts/', { folio: 'TWO-TUS' })
  const make = async (file: Buffer): Promise<number> => (await first.json('POST', 'adjuntos/', { ...described(file, 'image/jpeg'), contract })).id
  const file = fileOf('image/jpeg', 'por dos servidores', 3_000_000)
  const id = await make(file)
  const hanging = beginPart(first.target(id), file, 1_000_000)
  await until(async () => await second.offset(id) === 1_000_000)
  t.strictSame(await sendByTus(second.target(id), file, 1_500_000), { offsets: [1_000_000, 2_500_000] }, 'the other goes on while the connection to the first hangs')
  hanging.request.end(file.subarray(1_000_000))
  t.ok([204, 409].includes(await hanging.answer as number))
  t.ok((await first.bytes(id)).equals(file))

  const other = fileOf('image/jpeg', 'a la vez', 3_000_000)
  const both = await make(other)
  const [one, two] = await Promise.all([sendByTus(first.target(both), other, 500_000), sendByTus(second.target(both), other, 500_000)])
  t.strictSame([one.error, two.error], [undefined, undefined])
  t.ok((await second.bytes(both)).equals(other))
  t.match(await first.json('GET', `adjuntos/${both}/`), { estado: 'listo', version: 2 })
  await first.end()
  await second.end()
})
