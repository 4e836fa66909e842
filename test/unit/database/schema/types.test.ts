import fc from 'fast-check'
import t from 'tap'
import { Contract } from '../../../../src/domain/entities/index.ts'
import { inCompany } from '../../../../src/database/turns/unit-of-work.ts'
import { build } from '../../../support/helper.ts'

const cents = fc.bigInt({ min: 0n, max: 999999999999999999n })
const near = fc.tuple(cents, fc.bigInt({ min: -3n, max: 3n })).map(([from, step]) => [from, from + step]).filter(([, to]) => (to) >= 0n && (to) <= 999999999999999999n)
const written = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`

t.test('money', async (t) => {
  const { as, database, psql } = await build(t)
  const director = await as('director@demo.example')
  const { id, company } = (await director.post('contracts/', { folio: 'DINERO' })).json()
  const stored = async () => (await psql('select monto::text as monto, version from contracts where id = $1', [id]))[0] as { monto: string, version: number }
  const set = async (monto: string) => await inCompany(database, company, async ({ em }) => {
    em.assign(await em.findOneOrFail(Contract, { id }), { monto })
    await em.flush()
  })

  await t.test('changes by one cent at sixteen digits', async (t) => {
    await set('9999999999999999.98')
    const { version } = await stored()
    await set('9999999999999999.99')
    t.same(await stored(), { monto: '9999999999999999.99', version: version + 1 })
    t.equal((await director.send('PATCH', `contracts/${id}/`, { monto: '9999999999999999.98' })).json().monto, '9999999999999999.98')
    t.same(await stored(), { monto: '9999999999999999.98', version: version + 2 })
    t.equal((await director.get(`contracts/${id}/`)).json().monto, '9999999999999999.98')
  })

  await t.test('set to the same amount is no change', async (t) => {
    const before = await stored()
    await set(before.monto)
    t.same(await stored(), before)
  })

  await t.test('has the same value in the entity, the column and the answer, for any amounts', async (t) => {
    await fc.assert(fc.asyncProperty(near, async ([from, to]) => {
      for (const amount of [from, to].map(cents => written(cents))) {
        await set(amount)
        const { monto } = await stored()
        const seen = await inCompany(database, company, async ({ em }) => (await em.findOneOrFail(Contract, { id })).monto)
        if (monto !== amount || seen !== amount) throw new Error(`${amount} became ${monto} and ${seen}`)
      }
      const answer = (await director.get(`contracts/${id}/?fields=monto`)).json().monto
      if (answer !== written(to)) throw new Error(`${written(to)} is answered as ${answer}`)
    }), { numRuns: 15, endOnFailure: true })
    t.pass('exact')
  })

  await t.test('sums exactly beyond sixteen digits', async (t) => {
    for (const folio of ['S-1', 'S-2', 'S-3']) t.equal((await director.post('contracts/', { folio, parent: id, monto: '9999999999999999.99' })).statusCode, 201)
    t.equal((await director.get(`contracts/${id}/`)).json().monto_subcontratado, '29999999999999999.97')
  })
})
