import { randomUUID } from 'node:crypto'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('a device gets its names of the records that it has created, and no other device does', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const device = randomUUID()
  const { cursor } = (await director.get('changes/?page_size=1000')).json()
  const { results } = (await director.post('mutations/', {
    device,
    mutations: [
      { id: 1, op: 'create', resource: 'contracts', ref: 'c1', body: { folio: 'CHR-1' } },
      { id: 2, op: 'create', resource: 'estimates', body: { contract: { ref: 'c1' }, monto: '1.00' } },
      { id: 3, op: 'create', resource: 'contrapartes', ref: 'p1', body: { nombre: 'CHR-1' } },
      { id: 4, op: 'create', resource: 'contracts', ref: 'c2', body: { folio: 'CHR-2' } },
      { id: 5, op: 'delete', resource: 'contracts', record: { ref: 'c2' } }
    ]
  })).json()
  const [contract, , contraparte] = results.map(({ record }: { record?: { id: number } }) => record?.id)
  const named = async (query: string) => (await director.get(`changes/?page_size=1000${query}`)).json().changes
    .filter(({ ref }: { ref?: string }) => ref !== undefined).map(({ resource, id, ref }: Record<string, unknown>) => [resource, id, ref])

  const names = [['contrapartes', contraparte, 'p1'], ['contracts', contract, 'c1']]
  t.strictSame(await named(`&device=${device}`), names, 'in the snapshot')
  t.same((await named(`&cursor=${cursor}&device=${device}`)).sort(), [...names].sort(), 'among the changes')
  t.strictSame(await named(''), [])
  t.strictSame(await named(`&device=${randomUUID()}`), [])
  t.match((await director.get('changes/?device=1')).json(), { errors: { device: [String] } })
  const other = await as('director@otra.example')
  t.notMatch((await other.get(`changes/?device=${device}`)).body, /"ref"/, 'nor does another customer')
})
