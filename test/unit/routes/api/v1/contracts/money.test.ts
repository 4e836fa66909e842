import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('money', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const { id } = (await director.post('contracts/', { folio: 'DINERO' })).json()
  const patch = async (json: string) => await director.send('PATCH', `contracts/${id}/`, `{"monto":${json}}`, { 'content-type': 'application/json' })
  const stored = async () => (await psql('select monto::text from contracts where id = $1', [id]))[0]?.['monto']

  const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })).map(([cents]) => {
    const digits = cents.toString().padStart(3, '0')
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`
  })

  t.test('of any amount is returned unchanged, by detail, list and filters', async () => {
    await fc.assert(fc.asyncProperty(amount, fc.boolean(), async (given, quoted) => {
      const written = (await patch(quoted ? `"${given}"` : given)).json().monto
      const read = (await director.get(`contracts/${id}/`)).json().monto
      const { results } = (await director.get(`contracts/?folio=DINERO&monto_min=${given}&monto_max=${given}`)).json()
      return written === given && read === given && results.length === 1 && results[0].monto === given
    }), { numRuns: 25 })
  })

  t.test('that differs by a cent is a change, and is distinguished by filters', async (t) => {
    await patch('"9999999999999999.98"')
    const { version } = (await director.get(`contracts/${id}/`)).json()
    t.match((await patch('"9999999999999999.99"')).json(), { monto: '9999999999999999.99', version: version + 1 })
    t.equal(await stored(), '9999999999999999.99')
    t.match((await patch('9999999999999999.99')).json(), { version: version + 1 }, 'the same amount is no change')
    t.equal((await director.get('contracts/?monto_min=9999999999999999.99')).json().count, 1)
    t.equal((await director.get('contracts/?folio=DINERO&monto_max=9999999999999999.98')).json().count, 0)
  })
})
