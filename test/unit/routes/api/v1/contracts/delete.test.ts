import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('deleting contracts', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')

  t.test('a contract can be deleted after its last subcontract is deleted or moved', async (t) => {
    const parent = (await director.post('contracts/', { folio: 'ARRIBA' })).json().id
    const [moved, removed] = await Promise.all(['ABAJO-1', 'ABAJO-2'].map(async folio => (await director.post('contracts/', { folio, parent })).json().id))
    t.match((await director.send('DELETE', `contracts/${parent}/`)).json().detail, /\b2\b/)
    await director.send('PATCH', `contracts/${moved}/`, { parent: null })
    await director.send('DELETE', `contracts/${removed}/`)
    t.equal((await director.send('DELETE', `contracts/${parent}/`)).statusCode, 204)
  })

  t.test('either a delete or a concurrent new subcontract is refused', async (t) => {
    for (let round = 0; round < 5; round++) {
      const parent = (await director.post('contracts/', { folio: `CARRERA-${round}` })).json().id
      const [removal, child] = await Promise.all([
        director.send('DELETE', `contracts/${parent}/`),
        director.post('contracts/', { folio: `CARRERA-${round}-1`, parent })
      ])
      t.ok((removal.statusCode === 204 && child.statusCode === 400) || (removal.statusCode === 409 && child.statusCode === 201), `${removal.statusCode} ${child.statusCode}`)
      if (child.statusCode === 400) t.strictSame(child.json().errors, { parent: [`Invalid pk "${parent}" - object does not exist.`] })
    }
    t.strictSame(await psql('select from contracts h where parent_id is not null and not exists (select from contracts p where p.id = h.parent_id)'), [])
  })
})
