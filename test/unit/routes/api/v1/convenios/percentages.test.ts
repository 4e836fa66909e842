import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { agreeing } from '../../../../../support/agreeing.ts'
import { None } from '../../../../../support/none.ts'

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
  t.same(await percentages(second), ['25.00', '26.00', ['monto_25', 'dias_25']], 'not the one with a higher numero')
  t.same(await percentages(third), ['50.00', '51.00', ['monto_25', 'monto_50', 'dias_25', 'dias_50']], 'not the one that is no more than a draft')
  t.same(await percentages(await convenio(id, { monto: '-1000.02', dias: -102 })), ['-50.00', '-51.00', ['monto_25', 'monto_50', 'dias_25', 'dias_50']])
  const zero = await contract({ monto: '0' })
  t.match(await percentages(await convenio(zero, { monto: '5', dias: 5 })), [null, null, None])
  const [row] = await psql('select percent_of(0.005, 1)::text as half, percent_of(-0.00005, 1)::text as down, percent_of(0.000049999999999999999999, 1)::text as less, percent_of(9999999999999999.99, 9999999999999999.98)::text as large')
  t.same(row, { half: '0.50', down: '-0.01', less: '0.00', large: '100.00' })
})
