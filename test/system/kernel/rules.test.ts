import t, { type Test } from 'tap'
import { demoPlace } from '../../support/process.ts'
import { looking, type Psql } from './psql.ts'
import { brokenRules, ruleCount } from './rules.ts'

const rows = {
  contract: "(select id from contracts where folio = 'PRUEBA-1')",
  other: "(select min(id) from contracts where company_id = (select id from companies where nombre = 'Otra Uno'))",
  company: "(select id from companies where nombre = 'Obra Norte')",
  measured: "(select id from contracts where folio = 'PRUEBA-3')",
  paid: "(select id from estimates where descripcion = 'cuarta')"
}

const counters = 'a counter equals the number of records'
const log = 'the change log matches the records'
const versions = 'the version of a record equals its number of changes'
const references = 'no reference leaves its company'
const closed = 'a closed contract gets no new estimate'
const lumps = 'no lump sum has more estimated than its quantity'
const sums = 'sums equal those of the records'
const history = 'the history matches the records'
const settlement = 'a settled contract is terminado, and nothing waits but finiquitos without work'

const authorized = "estado = 'autorizada', neto = 0, cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0, amortizacion = 0"
const delivered = `update estimates set tipo = 'anticipo', anticipo = 5, monto = 0, numero = 1, ${authorized}, autorizacion = 1 where descripcion = 'tercera'`

/** By rule, statements that break it, each with the other rules that it also breaks. */
const violations: Record<string, Array<[statements: string, ...alsoBroken: string[]]>> = {
  [counters]: [
    ['update company_revisions set contracts = contracts + 1'],
    ['update company_revisions set contrapartes = contrapartes - 1'],
    ['update company_revisions set estimates = estimates + 1']
  ],
  'a revision equals that of the last change': [
    [`update company_revisions set revision = revision + 1 where company_id = ${rows.company}`],
    [`update company_revisions set revision = revision - 1 where company_id = ${rows.company}`],
    [`delete from purged_revisions where company_id <> ${rows.company}`]
  ],
  'revisions have no gaps': [
    [`update changes c set revision = c.revision + 1 from company_revisions r where r.company_id = c.company_id and r.revision = c.revision and c.company_id = ${rows.company};
      update company_revisions set revision = revision + 1 where company_id = ${rows.company}`],
    [`delete from purged_revisions where company_id = ${rows.company} and revision = (select min(revision) from purged_revisions where company_id = ${rows.company})`]
  ],
  [log]: [
    ["delete from contracts where folio = 'PRUEBA-2'", counters, history],
    ["delete from contrapartes where nombre = 'Prueba'", counters, history],
    ["update estimates set id = id + 1000 where descripcion = 'tercera'", versions, history],
    [`update changes set operation = 'delete' where resource = 'contracts' and record_id = ${rows.contract}`, history],
    [`update changes set record_id = record_id + 1000 where resource = 'contracts' and record_id = ${rows.contract}`, versions, history]
  ],
  [versions]: [
    [`update contracts set version = version + 1 where id = ${rows.contract}`],
    ["update contrapartes set version = version + 1 where nombre = 'Prueba'"],
    ["update estimates set version = version - 1 where descripcion = 'tercera'"],
    [`update generadores set version = version + 1 where estimate_id = ${rows.paid}`]
  ],
  [history]: [
    [`update contracts set descripcion = 'x' where id = ${rows.contract}`],
    [`delete from history where resource = 'pagos' and contract = ${rows.measured}`],
    ["delete from history where resource = 'estimates' and fields ? 'monto' and operation = 'update' and record_id = (select id from estimates where descripcion = 'tercera')"],
    [`update history set fields = jsonb_set(fields, '{cantidad}', '7') where resource = 'generadores' and contract = ${rows.measured}`]
  ],
  'numbers have no gaps': [
    ["update estimates set numero = 5 where descripcion = 'tercera'", history],
    ['update estimates set numero = numero - 1', history, sums],
    [`update convenios set numero = 2 where contract_id = ${rows.measured}`, history]
  ],
  'no contract has more authorized than its ceiling': [
    ['update estimates set estado = \'autorizada\', neto = 0, cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0, autorizacion = 1, monto = 100.01 where descripcion = \'tercera\'', sums, history],
    [`update estimates set estado = 'pagada', neto = 0, cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0, autorizacion = numero, monto = 33.34 where contract_id = ${rows.contract}`, sums, history],
    [`update contracts set monto = 49.99 where id = ${rows.measured}; update conceptos set cantidad = 4.999 where contract_id = ${rows.measured} and convenio_id is null`, lumps, history]
  ],
  [lumps]: [
    [`update generadores set cantidad = 10.0001 where estimate_id = ${rows.paid}`, sums, history]
  ],
  'payments have the sign of their estimate, and are at most what is due': [
    [`update estimates set pagado = neto + 0.01 where id = ${rows.paid}`, sums, history],
    [`update estimates set pagado = -0.01 where id = ${rows.paid}`, sums, history]
  ],
  [closed]: [
    [`update contracts set estado = 'terminado' where id = ${rows.contract}`, history],
    [`update contracts set estado = 'cancelado' where id = ${rows.contract}`, history]
  ],
  'one finiquito of a contract waits': [
    [`drop index estimates_waiting_finiquito; update estimates set tipo = 'finiquito' where contract_id = ${rows.contract}`, history]
  ],
  [settlement]: [
    [`update estimates set tipo = 'finiquito' where id = ${rows.paid}`, sums, history],
    [`update estimates set tipo = 'finiquito', ${authorized}, autorizacion = 1 where descripcion = 'primera'; update contracts set estado = 'terminado' where id = ${rows.contract}`, closed, sums, history]
  ],
  'a delivered advance is repaid at most once, and exactly with a finiquito': [
    [`${delivered}; update estimates set ${authorized.replace('amortizacion = 0', 'amortizacion = 6')}, autorizacion = 2 where descripcion = 'primera'`, sums, history],
    [`${delivered}; update estimates set tipo = 'finiquito', ${authorized}, autorizacion = 2 where descripcion = 'primera'`, settlement, sums, history]
  ],
  'a cancelled contract has nothing authorized': [
    [`update estimates set estado = 'autorizada', neto = 0, cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0, amortizacion = 0, autorizacion = 1 where descripcion = 'primera'; update contracts set estado = 'cancelado' where id = ${rows.contract}`, closed, history]
  ],
  'authorizations of a contract have different positions': [
    [`update estimates set estado = 'autorizada', neto = 0, cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0, amortizacion = 0, autorizacion = 1 where contract_id = ${rows.contract} and monto = 0`, history]
  ],
  'no contract is under itself': [
    [`update contracts set parent_id = id where id = ${rows.contract}`, sums, history],
    [`update contracts set parent_id = ${rows.contract} where folio = 'PRUEBA-2'; update contracts set parent_id = (select id from contracts where folio = 'PRUEBA-2') where id = ${rows.contract}`, sums, history]
  ],
  [references]: [
    [`update contracts set parent_id = ${rows.other} where id = ${rows.contract}`, sums, history],
    [`update contracts set contraparte_id = (select id from contrapartes where nombre = 'Prueba') where id = ${rows.other}`, history],
    [`update estimates set contract_id = ${rows.other} where contract_id = ${rows.contract}`, sums, history]
  ],
  'no reference leaves its contract': [
    [`update pagos set contract_id = ${rows.contract} where estimate_id = ${rows.paid}`, history],
    [`update conceptos set contract_id = ${rows.contract} where contract_id = ${rows.measured} and convenio_id is not null`, history]
  ],
  [sums]: [
    ['update estimate_sums set monto = monto + 1 where level = 2'],
    ['update contract_sums set vivas = vivas + 1'],
    ['update contract_sums set autorizado = autorizado + 1'],
    ["insert into movement_sums select company_id, id, 'pena', true, 1 from contracts where folio = 'PRUEBA-2'"],
    ["update estimates set cargos_fijos_antes = 1 where descripcion = 'primera'"],
    [`update contracts set monto_rows = monto_rows + 1 where id = ${rows.measured}`],
    [`update convenios set monto_rows = 0 where contract_id = ${rows.measured}`],
    ['insert into subcontract_sums select company_id, id, moneda, 1, 0.00 from contracts where folio = \'PRUEBA-2\''],
    ['delete from contract_sums']
  ],
  'an Idempotency-Key has one answer': [
    ['alter table idempotency_keys drop constraint idempotency_keys_unique; insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) select user_id, company_id, route, key, digest, status, headers, body from idempotency_keys']
  ]
}

/** The rules that are broken after these statements, which run without triggers and are rolled back. */
async function brokenBy (psql: Psql, statements: string): Promise<string[]> {
  await psql('begin')
  await psql('set local session_replication_role = replica')
  for (const statement of statements.split(';')) await psql(statement)
  const broken = await brokenRules(psql)
  await psql('rollback')
  return broken.map(line => (/^broken rule: (.*): \d+, such as \{.*\}$/.exec(line) as unknown as [string, string])[1])
}

/** A contract of 10 × 10 with an authorized estimate of 50, which is partly paid, and a change order. */
async function prepareWorks (psql: Psql): Promise<void> {
  await psql(`insert into contracts (company_id, folio) values (${rows.company}, 'PRUEBA-3')`)
  await psql(`insert into conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario, alzado) values (${rows.company}, ${rows.measured}, 'A', 'm', 10, 10, true)`)
  await psql(`insert into convenios (company_id, contract_id) values (${rows.company}, ${rows.measured})`)
  await psql(`
    insert into conceptos (company_id, contract_id, convenio_id, clave, unidad, cantidad, precio_unitario)
    select company_id, contract_id, id, 'B', 'm', 1, 1 from convenios where contract_id = ${rows.measured}`)
  await psql(`insert into estimates (company_id, contract_id, descripcion) values (${rows.company}, ${rows.measured}, 'cuarta')`)
  await psql(`
    insert into generadores (company_id, estimate_id, concepto_id, cantidad)
    select company_id, ${rows.paid}, id, 5 from conceptos where contract_id = ${rows.measured} and clave = 'A'`)
  for (const estado of ['enviada', 'autorizada']) await psql(`update estimates set estado = $1 where id = ${rows.paid}`, [estado])
  await psql(`insert into pagos (company_id, estimate_id, importe) values (${rows.company}, ${rows.paid}, 20)`)
}

/** Renames two companies there and back. The records of the first one change afterwards. */
async function rename (psql: Psql): Promise<void> {
  for (const nombre of ['Obra Norte', 'Otra Uno']) {
    await psql("update companies set nombre = 'Renombrada' where nombre = $1", [nombre])
    await psql("update companies set nombre = $1 where nombre = 'Renombrada'", [nombre])
  }
}

async function prepare (psql: Psql): Promise<void> {
  await rename(psql)
  for (const folio of ['PRUEBA-1', 'PRUEBA-2']) await psql(`insert into contracts (company_id, folio, monto) values (${rows.company}, $1, 100)`, [folio])
  for (const descripcion of ['primera', 'segunda', 'tercera']) await psql(`insert into estimates (company_id, contract_id, descripcion) values (${rows.company}, ${rows.contract}, $1)`, [descripcion])
  await psql(`insert into contrapartes (company_id, nombre) values (${rows.company}, 'Prueba')`)
  await psql("update estimates set monto = 10 where descripcion = 'tercera'")
  await prepareWorks(psql)
  await psql(`insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) select min(id), ${rows.company}, 'POST /', 'k', '', 201, '{}', '' from users`)
}

t.test('each rule that a database breaks is reported, and no other', async (t: Test) => {
  t.equal(Object.keys(violations).length, ruleCount, 'every rule has statements that break it')
  await looking(await demoPlace(t), async (psql) => {
    await prepare(psql)
    t.strictSame(await brokenRules(psql), [])
    for (const [rule, ways] of Object.entries(violations)) {
      for (const [statements, ...others] of ways) t.strictSame((await brokenBy(psql, statements)).sort(), [rule, ...others].sort(), `${rule}: ${statements}`)
    }
    t.strictSame(await brokenRules(psql), [], 'each was rolled back')
  })
})
