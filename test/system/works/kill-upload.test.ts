import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { described, fileOf } from '../../support/attaching.ts'
import { credentials, fakeBucket, fileStores } from '../../support/bucket.ts'
import { demoPlace, type Place } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { serving } from './serving.ts'

/** Starts a server. @returns it, and requests for the bytes of attachments, which are undefined if the server has ended */
async function storing (place: Place, env: Record<string, string>) {
  const server = await serving(t, { ...place, env: { ...place.env, ...env } })
  return {
    ...server,
    put: async (id: number, file: Buffer) => (await server.send('PUT', `adjuntos/${id}/contenido/`, new Uint8Array(file), 'image/jpeg'))?.status,
    bytes: async (id: number) => {
      const answer = await server.send('GET', `adjuntos/${id}/contenido/`)
      return answer?.status === 200 ? Buffer.from(await answer.arrayBuffer()) : answer?.status
    }
  }
}

/** When the server is killed, as parts of the time of an upload that is not killed. */
const kills = [0.4, 0.85, 1]

for (const kind of fileStores) {
  t.test(`kill -9 in an upload to a ${kind}: a file that is ready has all its bytes, another one can be sent again`, async (t) => {
    const place = await demoPlace(t)
    const bucket = kind === 'bucket' ? await fakeBucket(t) : undefined
    const env = bucket === undefined ? {} : { FILES_URL: bucket.url, ...credentials }
    let server = await storing(place, env)
    const { id: contract } = await server.json('POST', 'contracts/', { folio: 'KILL-1' })
    const make = async (file: Buffer): Promise<number> => (await server.json('POST', 'adjuntos/', { ...described(file, 'image/jpeg'), contract })).id
    const large = (name: string) => fileOf('image/jpeg', name, 8_000_000)
    const first = large('sin interrupción')
    const warm = await make(first)
    const began = performance.now()
    t.equal(await server.put(warm, first), 200)
    const time = performance.now() - began
    const folder = join(place.dataDir, 'files')
    const files = new Map([[warm, first]])

    for (const part of kills) {
      const file = large(`interrumpida ${part}`)
      const id = await make(file)
      files.set(id, file)
      const sending = server.put(id, file)
      await sleep(time * part)
      server.signal('SIGKILL')
      await server.ended
      const status = await sending
      // A temporary file that a killed server left is removed when it is an hour old.
      for (const name of readdirSync(join(folder, 'incoming'))) utimesSync(join(folder, 'incoming', name), 0, 0)
      server = await storing(place, env)
      const { estado } = await server.json('GET', `adjuntos/${id}/`)
      if (status === 200) t.equal(estado, 'listo', 'an upload that was answered is kept')
      const found = await server.bytes(id)
      if (estado === 'listo') t.ok((found as Buffer).equals(file), `ready after ${part}`)
      else {
        t.equal(found, 409, `not ready after ${part}`)
        t.equal(await server.put(id, file), 200)
      }
    }
    for (const [id, file] of files) t.ok((await server.bytes(id) as Buffer).equals(file))
    await until(() => readdirSync(join(folder, 'incoming')).length === 0)
    const stored = bucket?.keys() ?? readdirSync(folder).filter(name => name !== 'incoming').flatMap(company => readdirSync(join(folder, company)))
    t.equal(stored.length, files.size, 'nothing else is stored')
    await server.end()
  })
}
