import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { decimal } from '../../../support/exact.ts'

const names = ['monto', 'anticipo', 'amortizacion', 'retencion', 'deductivas', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto'] as const
const cents = (amount: string) => BigInt(amount.replace('.', ''))

/** Sums of amounts by key, as texts. */
function sums (rows: Row[], key: (row: Row) => string, amount: (row: Row) => string): Record<string, string> {
  const found = new Map<string, bigint>()
  for (const row of rows) found.set(key(row), (found.get(key(row)) ?? 0n) + cents(amount(row)))
  return Object.fromEntries([...found].map(([name, sum]) => [name, decimal(sum)]).sort())
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('authorize' as const), which: fc.nat(), count: fc.constantFrom(1, 1, 1, 3) }) },
  fc.record({ do: fc.constant('undo' as const) }),
  fc.record({ do: fc.constant('move' as const), which: fc.nat(4), chapter: fc.constantFrom('Uno', 'Dos', 'Tres') }),
  fc.record({ do: fc.constant('lose' as const) })
)

t.test('in any order of authorizations, a sheet has the sums of all earlier estimates', async (t) => {
  const { psql } = await openTestDatabase(t)
  await psql(`
    create function test_without_sheets(estimate bigint) returns json language plpgsql as $$
    declare sheet json;
    begin
      delete from caratulas where estimate_id <> estimate;
      sheet := caratula_of(1, estimate);
      raise exception using errcode = 'OB999';
    exception when sqlstate 'OB999' then
      return sheet;
    end $$`)
  let contracts = 0

  /** A contract with five concepts, three advances and nine estimates with lines and movements, all sent. */
  async function makeContract (): Promise<number> {
    const [{ id }] = await psql('insert into contracts (company_id, folio, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, derechos_porcentaje) values (1, $1, 10, 5, 16, 0.5) returning id', [`K-${++contracts}`]) as [{ id: number }]
    await psql("insert into conceptos (company_id, contract_id, clave, capitulo, unidad, cantidad, precio_unitario) select 1, $1, n, case when n < 3 then 'Uno' else 'Dos' end, 'm', 1e6, n + 0.37 from generate_series(1, 5) n", [id])
    await psql("insert into estimates (company_id, contract_id, tipo, anticipo) select 1, $1, 'anticipo', n * 10 from generate_series(1, 3) n", [id])
    await psql('insert into estimates (company_id, contract_id) select 1, $1 from generate_series(1, 9)', [id])
    await psql(`
      insert into generadores (company_id, estimate_id, concepto_id, piezas, cantidad)
      select 1, e.id, k.id, 3 * e.numero, 3 * e.numero from estimates e join conceptos k on k.contract_id = e.contract_id and (e.numero + k.id) % 2 = 0
      where e.contract_id = $1 and e.tipo = 'ordinaria'`, [id])
    await psql(`
      insert into movimientos (company_id, estimate_id, tipo, motivo, antes_iva, importe, porcentaje)
      select 1, e.id, m.tipo, m.motivo || e.numero % 2, m.antes_iva, m.importe, m.porcentaje from estimates e
      cross join (values ('pena', 'Atraso ', false, null, 1), ('otro', 'Otro ', true, 0.11, null)) m (tipo, motivo, antes_iva, importe, porcentaje)
      where e.contract_id = $1 and e.tipo = 'ordinaria' and e.numero <> 4`, [id])
    await psql("update estimates set estado = 'enviada' where contract_id = $1", [id])
    return id
  }

  /** The figures of the sheet, over its earlier estimates and itself. */
  async function expected (estimate: Row, all: Row[]): Promise<Row> {
    const isAdvance = (row: Row) => row['tipo'] === 'anticipo'
    const counted = all.filter(row => row['autorizacion'] <= estimate['autorizacion'] && (row['numero'] <= estimate['numero'] || isAdvance(row) !== isAdvance(estimate)))
    const ids = counted.map(row => row['id'])
    const lines = await psql('select k.capitulo, l.importe::text from estimate_lines l join conceptos k on k.id = l.concepto_id where l.estimate_id = any ($1)', [ids])
    const movements = await psql("select concat_ws(' ', antes_iva, tipo, motivo) as name, importe::text from movimientos where estimate_id = any ($1)", [ids])
    return {
      importes: Object.fromEntries(names.map(name => [name, decimal(counted.reduce((sum, row) => sum + cents(row[name]), 0n))])),
      capitulos: sums(lines, row => row['capitulo'], row => row['importe']),
      movimientos: sums(movements, row => row['name'], row => row['importe'])
    }
  }

  /** The same figures of a sheet. In each row, the amount up to date is that before plus that of the estimate. */
  function accumulated (sheet: Row, estimate: Row): Row {
    const rows: Row[] = [...Object.values(sheet['importes']), ...sheet['capitulos'], ...sheet['movimientos']] as Row[]
    for (const { anterior, periodo, acumulado } of rows) if (cents(anterior) + cents(periodo) !== cents(acumulado)) throw new Error(JSON.stringify(sheet))
    for (const name of names) if (sheet['importes'][name].periodo !== estimate[name]) throw new Error(`${name} of ${JSON.stringify(sheet)}`)
    return {
      importes: Object.fromEntries(names.map(name => [name, sheet['importes'][name].acumulado])),
      capitulos: sums(sheet['capitulos'].filter((row: Row) => row['acumulado'] !== '0.00'), row => row['capitulo'], row => row['acumulado']),
      movimientos: sums(sheet['movimientos'], row => [row['antes_iva'] === true ? 't' : 'f', row['tipo'], row['motivo']].join(' '), row => row['acumulado'])
    }
  }

  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
    const contract = await makeContract()
    const read = async () => await psql(`select id, tipo, numero, autorizacion, ${names.map(name => `${name}::text`).join(', ')} from estimates where contract_id = $1 and neto is not null order by autorizacion`, [contract])
    for (const one of steps) {
      const before = (await read()).length
      if (one.do === 'authorize') {
        const waiting = await psql("select id from estimates where contract_id = $1 and estado = 'enviada' order by id", [contract])
        const first = one.which % Math.max(1, waiting.length)
        await psql("update estimates set estado = 'autorizada' where id = any ($1)", [waiting.slice(first, first + one.count).map(row => row['id'])])
      } else if (one.do === 'undo') {
        await psql("update estimates set estado = 'enviada' where id = (select id from estimates where contract_id = $1 and neto is not null order by autorizacion desc limit 1)", [contract])
      } else if (one.do === 'move') {
        await psql('update conceptos set capitulo = $2 where contract_id = $1 and clave = $3', [contract, one.chapter, String(one.which + 1)])
      } else {
        await psql('delete from caratulas where estimate_id = (select min(k.estimate_id) from caratulas k join estimates e on e.id = k.estimate_id where e.contract_id = $1)', [contract])
      }
      const all = await read()
      for (const estimate of all.slice(before)) {
        const [row] = await psql('select k.figures as kept, caratula_of(1, k.estimate_id) as again, test_without_sheets(k.estimate_id) as added from caratulas k where k.estimate_id = $1', [estimate['id']])
        const wanted = JSON.stringify(await expected(estimate, all))
        for (const way of ['kept', 'again', 'added']) {
          const sheet = row?.[way]
          const found = JSON.stringify(accumulated(sheet, estimate))
          if (found !== wanted) throw new Error(`${way}: ${found}\nnot ${wanted}`)
        }
      }
    }
  }), { numRuns: 12, endOnFailure: true })
  t.pass('kept, computed again, and added up without the sheets before')
})
