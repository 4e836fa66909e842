import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { attaching, fileOf } from '../../../../../support/attaching.ts'
import { buildOn, openAgain } from '../../../../../support/helper.ts'
import { beginPart, partHeaders, sendByTus } from '../../../../../support/tus.ts'
import { until } from '../../../../../support/until.ts'

/** A request for a part of a file. */
interface Part {
  /** Which of two servers gets it. */
  server: 0 | 1
  /** Where it begins: the offset that the server needs, or one of its own. */
  at: number | 'next'
  bytes: number
  /** `cut`: the connection is lost after half of the bytes. `wrong`: the bytes are not those of the file. */
  kind: 'whole' | 'cut' | 'wrong'
}

const part = (size: number): fc.Arbitrary<Part> => fc.record({
  server: fc.constantFrom(0, 1),
  at: fc.oneof({ weight: 4, arbitrary: fc.constant('next' as const) }, { weight: 1, arbitrary: fc.integer({ min: 0, max: size }) }),
  bytes: fc.integer({ min: 0, max: size }),
  kind: fc.constantFrom('whole', 'whole', 'whole', 'cut', 'wrong')
})

/** A file of a size, and turns of one or two requests at once. */
const history = fc.integer({ min: 60, max: 3000 }).chain(size => fc.record({
  size: fc.constant(size), turns: fc.array(fc.array(part(size), { minLength: 1, maxLength: 2 }), { maxLength: 8 })
}))

t.test('any parts, in any order, of two servers, end with the file or with none', async (t) => {
  const first = await attaching(t)
  const { attach, contract, content, director, folder, origin, psql, stored } = first
  const other = await buildOn(t, await openAgain(first), { DATA_DIR: folder.replace(/\/files$/, '') })
  await other.listen({ host: '127.0.0.1', port: 0 })
  const origins = [origin, `http://127.0.0.1:${(other.server.address() as AddressInfo).port}`] as const
  const of = await contract()
  let files = 0

  await fc.assert(fc.asyncProperty(history, async ({ size, turns }) => {
    const file = fileOf('image/jpeg', `partida ${++files}`, size)
    const { id } = await attach(file, { contract: of }) as { id: number }
    const target = (server: 0 | 1) => ({ url: `${origins[server]}/api/v1/adjuntos/${id}/contenido/`, token: director.access })
    const authorized = { authorization: `Bearer ${director.access}` }
    const offset = async (server: 0 | 1 = 0) => Number((await fetch(target(server).url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0', ...authorized } })).headers.get('upload-offset'))

    const send = async ({ server, at, bytes, kind }: Part): Promise<{ status: number | undefined, end: number }> => {
      const begin = at === 'next' ? await offset(server) : at
      const right = file.subarray(begin, begin + bytes)
      const body = kind === 'wrong' ? Buffer.alloc(right.length, 'x') : right
      if (kind === 'cut' && body.length > 1) {
        const half = Math.floor(body.length / 2)
        const { request, answer } = beginPart(target(server), body, half, begin)
        // Until some of it has arrived, or the server needs other bytes.
        await until(async () => await offset(server) !== begin)
        request.destroy()
        return { status: await answer, end: begin }
      }
      const { status } = await fetch(target(server).url, { method: 'PATCH', body: new Uint8Array(body), headers: { ...partHeaders(begin), ...authorized } })
      return { status, end: begin + body.length }
    }

    const canFail = turns.flat().some(({ kind }) => kind === 'wrong')

    for (const turn of turns) {
      const answers = await Promise.all(turn.map(send))
      const [{ estado } = {}] = await psql('select estado from adjuntos where id = $1', [id])
      const next = await offset(1)
      for (const { status, end } of answers) {
        if (![undefined, 204, 409, ...canFail ? [400] : []].includes(status)) throw new Error(`answered by ${status}`)
        // An acknowledged byte is only lost with the whole wrong file.
        const isRefused = answers.some(answer => answer.status === 400)
        if (status === 204 && !isRefused && next < Math.min(end, size - 1)) throw new Error(`${end} was acknowledged, but the next is ${next}`)
      }
      if (estado === 'listo' && next !== size) throw new Error(`complete at ${next}`)
      if (estado === 'pendiente' && next >= size) throw new Error(`incomplete at ${next}`)
    }
    const { error } = await sendByTus(target(1), file, 1000)
    // Wrong bytes are found at the last one. Then the upload begins again.
    if (error !== undefined) {
      if (error.status !== 400 || !canFail) throw new Error(`refused by ${error.status}`)
      const again = await sendByTus(target(0), file, 1000)
      if (again.error !== undefined) throw new Error(`refused again by ${again.error.status}`)
    }
    if (!Buffer.from(await (await content(id)).arrayBuffer()).equals(file)) throw new Error('another file')
    await until(() => stored().every(path => !path.startsWith('incoming')))
    const left = await psql('select id from uploads')
    if (left.length > 0) throw new Error('a reservation is left')
  }), { numRuns: 40 })
  t.pass('every history ended with the file')
})
