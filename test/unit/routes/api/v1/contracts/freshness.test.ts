import t from 'tap'
import { build, buildOn, openAgain } from '../../../../../support/helper.ts'

t.test('a read after a write shows it', async (t) => {
  const { as, app, database, env, psql } = await build(t)
  const director = await as('director@demo.example')
  const second = await buildOn(t, await openAgain({ database, env, psql }))
  const headers = { authorization: `Bearer ${director.access}` }

  const { id } = (await director.post('contracts/', { folio: 'FRESCO', monto: '0.00', contraparte: 1 })).json()
  const details = [`contracts/${id}/`, `contracts/${id}/?fields=id,monto,contraparte,folio`]
  const lists = ['contracts/?ordering=-id', 'contracts/?folio=FRESCO', 'contracts/?search=fresco&fields=monto,contraparte,folio,id', 'contracts/?page=last']

  /** The contract on each server at each address. Every address has been read before, so it is cached. */
  async function seen () {
    const found = []
    for (const each of [app, second]) {
      for (const url of [...details, ...lists]) {
        const body = (await each.inject({ url: `/api/v1/${url}`, headers })).json()
        const contract = details.includes(url) ? body : body.results.find((contract: { id: number }) => contract.id === id)
        found.push(contract)
      }
    }
    return found
  }

  async function tags () {
    return await Promise.all([app, second].flatMap(server => [...details, ...lists].map(async url =>
      ({ server, url: `/api/v1/${url}`, etag: (await server.inject({ url: `/api/v1/${url}`, headers })).headers.etag as string }))))
  }

  let amount = 0
  const patch = async (server: typeof app, payload: object) => await server.inject({ method: 'PATCH', url: `/api/v1/contracts/${id}/`, headers, payload })
  const writers: Record<string, () => Promise<object>> = {
    'this server': async () => {
      await patch(app, { monto: ++amount })
      return { monto: `${amount}.00` }
    },
    'a second server': async () => {
      await patch(second, { monto: ++amount })
      return { monto: `${amount}.00` }
    },
    psql: async () => {
      await psql('update contracts set monto = $2 where id = $1', [id, ++amount])
      return { monto: `${amount}.00` }
    },
    'psql, on the counterparty': async () => {
      await psql('update contrapartes set nombre = $1 where id = 1', [`Contraparte ${++amount}`])
      return { contraparte: `Contraparte ${amount}` }
    }
  }

  for (const [writer, write] of Object.entries(writers)) {
    t.test(`by ${writer}: in detail, lists and filtered lists, on both servers`, async (t) => {
      for (let round = 0; round < 3; round++) {
        await seen()
        const expected = await write()
        for (const contract of await seen()) t.match(contract, expected)
      }
    })

    t.test(`by ${writer}: 304 turns into 200`, async (t) => {
      const remembered = await tags()
      for (const { server, url, etag } of remembered) {
        t.equal((await server.inject({ url, headers: { ...headers, 'if-none-match': etag } })).statusCode, 304)
      }
      await write()
      for (const { server, url, etag } of remembered) {
        t.equal((await server.inject({ url, headers: { ...headers, 'if-none-match': etag } })).statusCode, 200, url)
      }
    })
  }

  t.test('also when a record is created and deleted', async (t) => {
    const { count } = (await director.get('contracts/')).json()
    const made = (await second.inject({ method: 'POST', url: '/api/v1/contracts/', headers, payload: { folio: 'VIENE' } })).json().id
    t.equal((await director.get('contracts/')).json().count, count + 1)
    t.equal((await director.get('contracts/?folio=VIENE')).json().count, 1)
    await psql('delete from contracts where id = $1', [made])
    t.equal((await director.get(`contracts/${made}/`)).statusCode, 404)
    t.equal((await director.get('contracts/')).json().count, count)
    t.equal((await director.get('contracts/?folio=VIENE')).json().count, 0)
  })

  t.test('with concurrent requests: no read shows less than was acknowledged', async (t) => {
    await patch(app, { monto: amount })
    let acknowledged = amount
    const reads = Array.from({ length: 4 }, async (_, reader) => {
      for (let round = 0; round < 15; round++) {
        const least = acknowledged
        const url = [...details, ...lists][(reader + round) % 4] as string
        const body = (await (reader % 2 === 0 ? app : second).inject({ url: `/api/v1/${url}`, headers })).json()
        const contract = body.results?.[0] ?? body
        t.ok(Number(contract.monto) >= least, `${url} shows ${contract.monto as string}, ${least} was acknowledged`)
      }
    })
    const writes = (async () => {
      for (let round = 0; round < 20; round++) {
        const response = await patch(round % 2 === 0 ? second : app, { monto: amount + 1 })
        if (response.statusCode === 200) acknowledged = ++amount
      }
    })()
    await Promise.all([...reads, writes])
  })
})
