import t from 'tap'
import { refuses } from '../../../../../support/invalid.ts'
import { build, type Client } from '../../../../../support/helper.ts'

const cycle = ['A contract may not be moved under itself or one of its subcontracts.']

async function chain (client: Client, name: string, length: number): Promise<number[]> {
  const ids: number[] = []
  for (let level = 0; level < length; level++) {
    const response = await client.post('contracts/', { folio: `${name}-${level}`, parent: ids.at(-1) ?? null })
    ids.push(response.json().id)
  }
  return ids
}

t.test('the tree of contracts, and concurrent creates', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const move = async (id: number | undefined, parent: number | null | undefined) => await director.send('PATCH', `contracts/${id}/`, { parent })

  t.test('the tree may be deep, and a contract can be moved anywhere except under itself', async (t) => {
    const ids = await chain(director, 'HONDO', 40)
    for (const below of [0, 1, 20, 39]) {
      refuses(t, await move(ids[0], ids[below]), { parent: cycle }, `under level ${below}`)
    }
    const put = await director.send('PUT', `contracts/${ids[5]}/`, { folio: 'HONDO-5', parent: ids[6] })
    t.strictSame(put.json().errors, { parent: cycle })
    t.equal((await move(ids[39], ids[0])).statusCode, 200)
    t.match((await director.get(`contracts/${ids[0]}/`)).json(), { parent: null, hijos: 2 })
    t.equal((await move(ids[1], ids[39])).statusCode, 200, 'a former ancestor may become a descendant')
    t.match((await director.get(`contracts/${ids[0]}/`)).json(), { hijos: 1 })
  })

  t.test('one of two concurrent moves that form a cycle succeeds', async (t) => {
    for (let round = 0; round < 8; round++) {
      const [a] = await chain(director, `A${round}`, 3)
      const [b] = await chain(director, `B${round}`, 3)
      const leaf = async (name: string) => (await director.get(`contracts/?folio=${name}${round}-2`)).json().results[0].id
      const [underA, underB] = [await leaf('A'), await leaf('B')]
      const answers = await Promise.all([move(a, underB), move(b, underA)])
      t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 400])
      t.strictSame(answers.find(({ statusCode }) => statusCode === 400)?.json().errors, { parent: cycle })
    }
    const [{ reachable, total }] = await psql(`
      with recursive down (id) as (
        select id from contracts where parent_id is null union select c.id from contracts c join down on c.parent_id = down.id)
      select (select count(*) from down) as reachable, (select count(*) from contracts) as total`) as [{ reachable: number, total: number }]
    t.equal(reachable, total, 'every contract has a root')
  })

  t.test('two of three concurrent moves that form a cycle succeed', async (t) => {
    const ids = (await Promise.all(['X', 'Y', 'Z'].map(async name => await director.post('contracts/', { folio: `ANILLO-${name}` })))).map(response => response.json().id)
    const answers = await Promise.all(ids.map(async (id, index) => await move(id, ids[(index + 1) % 3])))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 400])
  })

  t.test('a parent gets all children that are created concurrently', async (t) => {
    const { id } = (await director.post('contracts/', { folio: 'RACIMO' })).json()
    const answers = await Promise.all(Array.from({ length: 20 }, async (_, index) => await director.post('contracts/', { folio: `RACIMO-${index}`, parent: id, monto: '0.01' })))
    t.ok(answers.every(({ statusCode }) => statusCode === 201))
    t.match((await director.get(`contracts/${id}/`)).json(), { hijos: 20, monto_subcontratado: '0.20' })
  })

  t.test('concurrent creates get their own answers, whatever is wrong with the others', async (t) => {
    const answers = await Promise.all(Array.from({ length: 40 }, async (_, index) =>
      await director.post('contracts/', { folio: `TURNO-${index}`, monto: `${index}.01`, ...index % 3 === 0 ? { parent: 999_999 } : {} })))
    for (const [index, response] of answers.entries()) {
      if (index % 3 === 0) t.strictSame(response.json().errors, { parent: ['Invalid pk "999999" - object does not exist.'] })
      else t.match(response.json(), { folio: `TURNO-${index}`, monto: `${index}.01`, parent: null })
    }
    t.equal(new Set(answers.filter(({ statusCode }) => statusCode === 201).map(response => response.json().id)).size, 26)
  })
})
