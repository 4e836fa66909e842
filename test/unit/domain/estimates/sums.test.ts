import fc from 'fast-check'
import t from 'tap'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { estimateStates } from '../../../../src/domain/estimates/rules.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { readPage } from '../../../../src/resources/reading/page.ts'
import { asCompany } from '../../../support/as-company.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { decimal } from '../../../support/exact.ts'

/** An estimate in the model, with its amount in cents. */
interface Estimate { monto: bigint, estado: string }

const range = fc.record({ from: fc.double({ min: 0, max: 0.999, noNaN: true }), count: fc.integer({ min: 1, max: 60 }) })
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), range, cents: fc.bigInt(0n, 10n ** 9n) }),
  fc.record({ do: fc.constant('amount' as const), range, cents: fc.bigInt(0n, 10n ** 9n) }),
  fc.record({ do: fc.constant('state' as const), range, estado: fc.constantFrom('borrador', 'enviada', 'cancelada', 'rechazada', 'autorizada') }),
  fc.record({ do: fc.constant('remove' as const), range })
)
const isLive = ({ estado }: Estimate) => estado !== 'rechazada' && estado !== 'cancelada'
const sum = (of: Estimate[]) => of.reduce((sum, { monto }) => sum + monto, 0n)

t.test('after any statements on a long contract, all sums are those of a naive model', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const read = asCompany(readTurn(sql), 1)
  let contracts = 0

  await fc.assert(fc.asyncProperty(fc.constantFrom(0, 30, 62, 1000, 1023), fc.array(step, { minLength: 4, maxLength: 8 }), async (length, steps) => {
    const [{ id }] = await psql('insert into contracts (company_id, folio, monto, anticipo_porcentaje) values (1, $1, 1e15, 10) returning id', [`S-${++contracts}`]) as [{ id: number }]
    const model: Estimate[] = Array.from({ length }, () => ({ monto: 100n, estado: 'borrador' }))
    await psql('insert into estimates (company_id, contract_id, monto) select 1, $1, 1 from generate_series(1, $2)', [id, length])

    for (const one of steps) {
      const { from, count } = one.range
      const first = Math.floor(from * model.length)
      const isPossible = ({ estado }: Estimate) => one.do === 'state' ? estimateStates.to[estado]?.includes(one.estado) === true && estado !== 'autorizada' : estado === 'borrador'
      const numbers = model.flatMap((estimate, index) => index >= first && index < first + count && isPossible(estimate) ? [index + 1] : [])
      if (one.do === 'add') {
        await psql('insert into estimates (company_id, contract_id, monto) select 1, $1, $2::numeric from generate_series(1, $3)', [id, decimal(one.cents), count])
        for (let n = 0; n < count; n++) model.push({ monto: one.cents, estado: 'borrador' })
      } else if (one.do === 'amount') {
        await psql('update estimates set monto = $2::numeric where contract_id = $1 and numero = any ($3)', [id, decimal(one.cents), numbers])
        for (const numero of numbers) model[numero - 1].monto = one.cents
      } else if (one.do === 'state') {
        await psql('update estimates set estado = $2 where contract_id = $1 and numero = any ($3)', [id, one.estado, numbers])
        for (const numero of numbers) model[numero - 1].estado = one.estado
      } else {
        const end = model.findLastIndex(({ estado }) => estado === 'autorizada') + 1
        const left = Math.max(end, model.length - count)
        await psql('delete from estimates where contract_id = $1 and numero > $2', [id, left])
        model.splice(left)
      }

      const page = Math.floor(from * model.length / 200) + 1
      const { results } = await readPage(read, estimates, { contract: String(id), ordering: ['numero'], page_size: 200, page: String(page) }, 'UTC')
      const accumulated = results.map(({ numero, monto_acumulado: amount }) => [numero, amount])
      const expected = results.map(({ numero }) => [numero, decimal(sum(model.slice(0, numero).filter(isLive)))])
      if (JSON.stringify(accumulated) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(accumulated)}\n${JSON.stringify(expected)}`)
      const [found] = await psql('select coalesce(sum(vivas), 0)::int as live, coalesce(sum(autorizado), 0.00) as authorized from contract_sums where contract_id = $1', [id])
      const [live, authorized] = [model.filter(isLive).length, decimal(sum(model.filter(({ estado }) => estado === 'autorizada')))]
      if (found?.['live'] !== live || found?.['authorized'] !== authorized) throw new Error(`${JSON.stringify(found)}, not ${live} and ${authorized}`)
    }
    const wrong = await wrongSums(psql)
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
  }), { numRuns: 12, endOnFailure: true })
  t.pass('values, blocks and totals are equal')
})

t.test('of contracts with more estimates than two levels of blocks hold', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ id }] = await psql("insert into contracts (company_id, folio) values (1, 'LARGO') returning id") as [{ id: number }]
  // Inserted with their numbers, because the trigger looks for the last one.
  await psql('alter table estimates disable trigger keep_estimate')
  await psql('insert into estimates (company_id, contract_id, numero, monto, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, derechos_porcentaje, retencion_antes_iva) select 1, $1, n, n, 0, 0, 0, 0, true from generate_series(1, 33000) n', [id])
  await psql('alter table estimates enable trigger keep_estimate')
  await psql("update estimates set estado = 'cancelada' where contract_id = $1 and numero in (1, 32768)", [id])
  const read = asCompany(readTurn(sql), 1)
  const at = async (numero: number) => {
    const [{ id: estimate }] = await psql('select id from estimates where contract_id = $1 and numero = $2', [id, numero]) as [{ id: number }]
    return (await readPage(read, estimates, { contract: String(id), ordering: ['numero'], page_size: 1, page: String(numero) }, 'UTC')).results.map(row => [row['id'] === estimate, row['monto_acumulado']])
  }
  const upTo = (n: number) => n * (n + 1) / 2 - (n >= 1 ? 1 : 0) - (n >= 32_768 ? 32_768 : 0)
  for (const numero of [1, 2, 31, 32, 33, 1023, 1024, 1025, 32_767, 32_768, 32_769, 33_000]) t.same(await at(numero), [[true, `${upTo(numero)}.00`]], String(numero))
  t.same(await wrongSums(psql), [])
})

t.test('subcontracts are counted and summed by currency, also after moves, other amounts, other currencies and deletes', async (t) => {
  const { psql } = await openTestDatabase(t)
  const add = async (folio: string, values: string) => (await psql(`insert into contracts (company_id, folio, parent_id, moneda, monto) values (1, '${folio}', ${values}) returning id`))[0]?.['id'] as number
  const [first, second] = [await add('P-1', "null, 'MXN', 1"), await add('P-2', "null, 'MXN', 1")]
  const sums = async (id: number) => (await psql('select moneda, hijos, monto from subcontract_sums where parent_id = $1 and hijos > 0 order by 1', [id])).map(row => Object.values(row))
  await psql('insert into contracts (company_id, folio, parent_id, moneda, monto) select 1, \'H-\' || n, $1, case when n % 3 = 0 then \'USD\' else \'MXN\' end, n from generate_series(1, 9) n', [first])
  t.same(await sums(first), [['MXN', 6, '27.00'], ['USD', 3, '18.00']])
  await psql("update contracts set monto = 100, moneda = 'EUR' where folio in ('H-1', 'H-3')")
  t.same(await sums(first), [['EUR', 2, '200.00'], ['MXN', 5, '26.00'], ['USD', 2, '15.00']])
  await psql("update contracts set parent_id = case folio when 'H-2' then null else $1::bigint end where folio in ('H-1', 'H-2', 'H-4')", [second])
  t.same([await sums(first), await sums(second)], [[['EUR', 1, '100.00'], ['MXN', 3, '20.00'], ['USD', 2, '15.00']], [['EUR', 1, '100.00'], ['MXN', 1, '4.00']]])
  t.same(await wrongSums(psql), [])
  await psql('delete from contracts where parent_id = $1 or id = $1', [second])
  await psql('delete from contracts where parent_id = $1', [first])
  t.same([await sums(first), await sums(second)], [[], []])
  t.same(await psql('select from subcontract_sums where parent_id = $1', [second]), [], 'a deleted contract has no sums')
  t.same(await wrongSums(psql), [])
})
