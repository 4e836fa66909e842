import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { agreeing } from '../../../../../support/agreeing.ts'
import { None } from '../../../../../support/none.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

t.test('percentages add the signed change orders before, and warn from above 25 and 50 percent, also downwards', async (t) => {
  const { contract, convenio, get, psql } = await agreeing(t)
  const id = await contract({ monto: '1000', fecha_inicio: '2026-01-01', fecha_fin: '2026-04-10' })
  const percentages = async ({ id }: Row) => {
    const { porcentaje_monto: monto, porcentaje_dias: dias, avisos } = await get(`convenios/${id}/`)
    return [monto, dias, avisos]
  }
  const first = await convenio(id, { monto: '250', dias: 25 }, 'firmado')
  const second = await convenio(id, { monto: '0.01', dias: 1 })
  const third = await convenio(id, { monto: '250.01', dias: 26 }, 'firmado')
  t.match(await percentages(first), ['25.00', '25.00', None])
  t.same(await percentages(second), ['25.00', '26.00', ['monto_25', 'aumento_25', 'dias_25']], 'not the one with a higher numero')
  t.same(await percentages(third), ['50.00', '51.00', ['monto_25', 'monto_50', 'aumento_25', 'aumento_50', 'dias_25', 'dias_50']], 'not the one that is no more than a draft')
  t.same(await percentages(await convenio(id, { monto: '-1000.02', dias: -102 })), ['-50.00', '-51.00', ['monto_25', 'monto_50', 'aumento_25', 'aumento_50', 'reduccion_25', 'reduccion_50', 'dias_25', 'dias_50']])
  const zero = await contract({ monto: '0' })
  t.match(await percentages(await convenio(zero, { monto: '5', dias: 5 })), [null, null, None])
  const [row] = await psql('select percent_of(0.005, 1)::text as half, percent_of(-0.00005, 1)::text as down, percent_of(0.000049999999999999999999, 1)::text as less, percent_of(9999999999999999.99, 9999999999999999.98)::text as large')
  t.same(row, { half: '0.50', down: '-0.01', less: '0.00', large: '100.00' })
})

t.test('additions and reductions count apart, by rows, so that one does not hide the other', async (t) => {
  const { director, contract, convenio, get } = await agreeing(t)
  const percent = (cents: number) => (cents / 1000).toFixed(2)
  const warnings = (name: string, cents: number) => [25, 50].filter(limit => Math.abs(cents) > limit * 1000).map(limit => `${name}_${limit}`)
  // Rows in cents of a contract of 1,000.00. A thousandth of its amount is a whole number of hundredths of a percent.
  const rows = fc.array(fc.integer({ min: -60, max: 60 }).filter(row => row !== 0).map(row => row * 1000), { maxLength: 5 })
  const both = [40_000, -40_000]
  await fc.assert(fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 3 }), async (orders) => {
    const id = await contract({ monto: '1000' })
    let [up, down] = [0, 0]
    for (const [index, amounts] of orders.entries()) {
      const { id: order } = await convenio(id)
      for (const [row, cents] of amounts.entries()) {
        const concepto = { contract: id, convenio: order, clave: `${index}-${row}`, unidad: 'm', cantidad: String(Math.sign(cents)), precio_unitario: (Math.abs(cents) / 100).toFixed(2) }
        succeeded(await director.post('conceptos/', concepto))
      }
      const sumOf = (sign: number) => amounts.filter(cents => Math.sign(cents) === sign).reduce((sum, cents) => sum + cents, 0)
      const [added, taken] = [up + sumOf(1), down + sumOf(-1)]
      const { porcentaje_monto: monto, porcentaje_aumento: aumento, porcentaje_reduccion: reduccion, avisos } = await get(`convenios/${order}/`)
      t.same([monto, aumento, reduccion], [added + taken, added, taken].map(percent), JSON.stringify(orders))
      t.same(avisos, [...warnings('monto', added + taken), ...warnings('aumento', added), ...warnings('reduccion', taken)])
      // Drafts and orders that take more than the contract has do not count for the next ones.
      const states = [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-05-01' }, { estado: 'firmado', fecha_firma: '2026-05-02' }]
      let isSigned = index % 2 === 0
      for (const state of isSigned ? states : []) isSigned = (await director.send('PATCH', `convenios/${order}/`, state)).statusCode === 200
      if (isSigned) [up, down] = [added, taken]
    }
  }), { numRuns: 8, examples: [[[both]], [[both, [1000], both]]] })
})
