import t from 'tap'
import { succeeded } from '../../../support/succeeded.ts'
import { charge, moving } from './moving.ts'

const count = 60
const bases = ['monto', 'subtotal', 'iva']

t.test('the cover sheet of a draft with many percentages computes its amounts once', async (t) => {
  const { director, contract, estimate, psql } = await moving(t)
  const { id } = await estimate(await contract({ monto: '10000' }), { monto: '1234.56' })
  const items = Array.from({ length: count }, (_, n) => ({
    ...charge, estimate: id, motivo: `M${n}`, base: bases[n % 3], porcentaje: `0.${n + 1}`
  }))
  succeeded(await director.post('movimientos/bulk/', { items }))

  await t.test('with the figures of the movements', async (t) => {
    const expected = await psql(`
      select motivo, movement_amount(company_id, estimate_id, base, porcentaje)::text as periodo
      from movimientos where estimate_id = $1`, [id])
    const { movimientos, importes } = succeeded(await director.get(`estimates/${id as number}/caratula/`))
    const periodos = (rows: Array<{ motivo?: string, periodo?: string }>) => new Map(rows.map(({ motivo, periodo }) => [motivo, periodo]))
    t.equal(movimientos.length, count)
    t.strictSame(new Map([...periodos(movimientos)].sort()), new Map([...periodos(expected)].sort()))
    const cents = movimientos.reduce((sum: number, { periodo }: { periodo: string }) => sum + Math.round(Number(periodo) * 100), 0)
    t.equal(Math.round(Number(importes.cargos_despues_iva.periodo) * 100), cents)
  })

  await psql(`
    create function test_rows() returns int language sql return (
      select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relid = 'public.movimientos'::regclass)`)
  await psql(`
    create function test_visited(of_estimate bigint) returns int language plpgsql as $$
    declare before int;
    begin
      perform caratula_of(1, of_estimate);
      before := test_rows();
      perform caratula_of(1, of_estimate);
      return test_rows() - before;
    end $$`)
  const [{ rows }] = await psql('select test_visited($1) as rows', [id]) as [{ rows: number }]
  t.ok(rows >= count && rows <= 5 * count, `${rows} movements read for ${count}`)
})
