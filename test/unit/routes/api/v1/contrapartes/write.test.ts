import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('counterparties', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')

  await t.test('have defaults for omitted fields', async (t) => {
    const least = (await director.post('contrapartes/', { nombre: 'Sin datos' })).json()
    t.match(least, { rfc: null, rfc_warning: false, tipo: 'otro', email: '', telefono: '', direccion: '', notas: '', activo: true, external_id: null })
  })

  await t.test('have names of up to 250 characters and telephone numbers of up to 100, in any script', async (t) => {
    // A Hangul syllable has the longest sort key. Random ones do not compress.
    const hangul = Array.from({ length: 250 }, () => String.fromCodePoint(0xac00 + Math.floor(Math.random() * 11_172))).join('')
    for (const nombre of ['n'.repeat(250), 'ñ'.repeat(250), '👷'.repeat(250), '\u{1d164}'.repeat(83), hangul]) {
      const made = await director.post('contrapartes/', { nombre, telefono: '1'.repeat(100) })
      t.equal(made.statusCode, 201, made.body)
      t.match(made.json(), { nombre: nombre.normalize(), telefono: '1'.repeat(100) })
      const contract = await director.post('contracts/', { folio: `LARGO-${made.json().id}`, contraparte: nombre })
      t.equal(contract.statusCode, 201)
      t.match(contract.json(), { contraparte: nombre.normalize(), contraparte_id: made.json().id })
      t.match((await director.get(`contracts/?contraparte_nombre=${encodeURIComponent(nombre)}`)).json(), { count: 1 })
    }
  })

  await t.test('with a wrong check digit cause a warning, not an error; generic tax ids are valid', async (t) => {
    t.match((await director.post('contrapartes/', { nombre: 'Dígito', rfc: 'GODE561231GR9' })).json(), { rfc: 'GODE561231GR9', rfc_warning: true })
    t.match((await director.post('contrapartes/', { nombre: 'Público', rfc: 'XAXX010101000' })).json(), { rfc_warning: false })
    t.match((await director.post('contrapartes/', { nombre: 'Forma', rfc: 'gode-561231 gr8' })).json(), { rfc: 'GODE561231GR8', rfc_warning: false })
  })

  await t.test('are not deleted while contracts use them', async (t) => {
    const [{ id, n }] = await psql('select contraparte_id as id, count(*)::int as n from contracts where company_id = 1 group by 1 order by 1 limit 1') as [{ id: number, n: number }]
    const refused = await director.send('DELETE', `contrapartes/${id}/`)
    t.equal(refused.statusCode, 409)
    t.strictSame(refused.json(), { detail: `This counterparty cannot be deleted while contracts use it (${n}).`, code: 'protected' })
  })
})
