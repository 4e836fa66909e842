import t from 'tap'
import { build, buildOn, openAgain } from '../../../../../support/helper.ts'

t.test('a read after a write by psql to the counterparty shows it, on every server', async (t) => {
  const { as, app, database, env, psql } = await build(t)
  const director = await as('director@demo.example')
  const second = await buildOn(t, await openAgain({ database, env, psql }))
  const { id } = (await director.post('contracts/', { folio: 'FRESCO', contraparte: 1 })).json()
  const paths = [`contracts/${id}/`, `contracts/${id}/?fields=contraparte`, 'contracts/?ordering=-id', 'contracts/?folio=FRESCO', 'contracts/?search=fresco&fields=contraparte,id', 'contracts/?page=last']
  const urls = [app, second].flatMap(server => paths.map(path => ({ server, url: `/api/v1/${path}` })))
  const read = async ({ server, url }: typeof urls[number], given = '') => await server.inject({ url, headers: { authorization: `Bearer ${director.access}`, 'if-none-match': given } })

  for (let round = 0; round < 3; round++) {
    const tags = await Promise.all(urls.map(async one => (await read(one)).headers.etag as string))
    for (const [index, one] of urls.entries()) t.equal((await read(one, tags[index])).statusCode, 304, one.url)
    await psql('update contrapartes set nombre = $1 where id = 1', [`Contraparte ${round}`])
    for (const [index, one] of urls.entries()) {
      const response = await read(one, tags[index])
      t.equal(response.statusCode, 200, one.url)
      const shown = response.json()
      t.equal((shown.results === undefined ? shown : shown.results.find((contract: { id: number }) => contract.id === id)).contraparte, `Contraparte ${round}`, one.url)
    }
  }
})
