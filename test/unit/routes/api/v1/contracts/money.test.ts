import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('money', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const { id } = (await director.post('contracts/', { folio: 'DINERO' })).json()
  const patch = async (json: string) => await director.send('PATCH', `contracts/${id}/`, `{"monto":${json}}`, { 'content-type': 'application/json' })

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
})
