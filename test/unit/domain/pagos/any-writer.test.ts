import t from 'tap'
import { paying } from '../../../support/paying.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('the database refuses the same payments to any writer', async (t) => {
  const { contract, estimate, read, psql, due, state } = await paying(t)
  const { id, contract: of } = await due('10')
  const insert = async (of: number, ...amounts: number[]) => await psql('insert into pagos (company_id, estimate_id, importe) select 1, $1, unnest($2::numeric[]) returning contract_id, fecha', [of, amounts])
  const violates = (constraint: string) => ({ code: '23514', constraint })
  for (const amounts of [[11], [-1], [5, 6], [5, -1]]) await t.rejects(insert(id, ...amounts), violates('pagos_due'), amounts.join())
  await t.rejects(insert(id, 0), { code: '23514' })
  await t.rejects(insert((await estimate(await contract(), { monto: '1' }))['id'], 1), violates('pagos_payable'))
  t.same(await insert(id, 4, 6), [4, 6].map(() => ({ contract_id: of, fecha: null })))
  t.strictSame(await state(id), ['10.00', '0.00', 'pagada'])
  await t.rejects(insert(id, 1), violates('pagos_payable'))
  await t.rejects(psql('update pagos set importe = 3 where estimate_id = $1', [id]), violates('pagos_importe_fixed'))
  await t.rejects(psql('update estimates set pagado = 0 where id = $1', [id]), violates('estimates_pagado_derived'))
  await t.rejects(psql("update estimates set estado = 'autorizada' where id = $1", [id]), violates('estimates_transition'))
  await t.rejects(psql('insert into estimates (company_id, contract_id, pagado) values (1, $1, 1)', [(await read(id))['contract']]), violates('estimates_pagado_derived'))
  await psql('delete from pagos where estimate_id = $1', [id])
  t.strictSame(await state(id), ['0.00', '10.00', 'autorizada'])
  const direct = await contract({ monto: '100', iva_porcentaje: '0' })
  const made = await psql("insert into estimates (company_id, contract_id, monto, estado) select 1, $1, n, 'pagada' from generate_series(0, 3) n returning id, version", [direct])
  t.same(await psql('select estimate_id, importe, fecha from pagos where contract_id = $1 order by id', [direct]), made.slice(1).map(({ id }, index) => ({ estimate_id: id, importe: `${index + 1}.00`, fecha: null })))
  for (const { id: one, version } of made) t.match(await read(one), { estado: 'pagada', por_pagar: '0.00', version })
  t.same(await wrongSums(psql), [])
})
