import t, { type Test } from 'tap'
import { demoPlace } from '../../support/process.ts'
import { looking, type Psql } from './psql.ts'
import { brokenRules, ruleCount } from './rules.ts'

const rows = {
  contract: "(select id from contracts where folio = 'PRUEBA-1')",
  other: "(select min(id) from contracts where company_id = (select id from companies where nombre = 'Otra Uno'))",
  company: "(select id from companies where nombre = 'Obra Norte')"
}

const counters = 'a counter equals the number of records'
const log = 'the change log matches the records'
const versions = 'the version of a record equals its number of changes'
const references = 'no reference leaves its company'
const sums = 'sums equal those of the records'

/** By rule, statements that break it, each with the other rules that it also breaks. */
const violations: Record<string, Array<[statements: string, ...alsoBroken: string[]]>> = {
  [counters]: [
    ['update company_revisions set contracts = contracts + 1'],
    ['update company_revisions set contrapartes = contrapartes - 1'],
    ['update company_revisions set estimates = estimates + 1']
  ],
  'a revision equals that of the last change': [
    [`update company_revisions set revision = revision + 1 where company_id = ${rows.company}`],
    [`update company_revisions set revision = revision - 1 where company_id = ${rows.company}`]
  ],
  'revisions have no gaps': [
    [`update changes c set revision = c.revision + 1 from company_revisions r where r.company_id = c.company_id and r.revision = c.revision and c.company_id = ${rows.company};
      update company_revisions set revision = revision + 1 where company_id = ${rows.company}`]
  ],
  [log]: [
    ["delete from contracts where folio = 'PRUEBA-2'", counters],
    ["delete from contrapartes where nombre = 'Prueba'", counters],
    ["update estimates set id = id + 1000 where descripcion = 'tercera'", versions],
    [`update changes set operation = 'delete' where resource = 'contracts' and record_id = ${rows.contract}`],
    [`update changes set record_id = record_id + 1000 where resource = 'contracts' and record_id = ${rows.contract}`, versions]
  ],
  [versions]: [
    [`update contracts set version = version + 1 where id = ${rows.contract}`],
    ["update contrapartes set version = version + 1 where nombre = 'Prueba'"],
    ["update estimates set version = version - 1 where descripcion = 'tercera'"]
  ],
  'estimate numbers have no gaps': [
    ["update estimates set numero = 5 where descripcion = 'tercera'"],
    ['update estimates set numero = numero - 1']
  ],
  'no contract has more authorized than its amount': [
    ['update estimates set estado = \'autorizada\', neto = 0, monto = 100.01 where descripcion = \'tercera\'', sums],
    [`update estimates set estado = 'pagada', neto = 0, monto = 33.34 where contract_id = ${rows.contract}`, sums]
  ],
  'a closed contract gets no new estimate': [
    [`update contracts set estado = 'terminado' where id = ${rows.contract}`],
    [`update contracts set estado = 'cancelado' where id = ${rows.contract}`]
  ],
  'no contract is under itself': [
    [`update contracts set parent_id = id where id = ${rows.contract}`, sums],
    [`update contracts set parent_id = ${rows.contract} where folio = 'PRUEBA-2'; update contracts set parent_id = (select id from contracts where folio = 'PRUEBA-2') where id = ${rows.contract}`, sums]
  ],
  [references]: [
    [`update contracts set parent_id = ${rows.other} where id = ${rows.contract}`, sums],
    [`update contracts set contraparte_id = (select id from contrapartes where nombre = 'Prueba') where id = ${rows.other}`],
    [`update estimates set contract_id = ${rows.other} where contract_id = ${rows.contract}`, sums]
  ],
  [sums]: [
    ['update estimate_sums set monto = monto + 1 where level = 2'],
    ['update contract_sums set vivas = vivas + 1'],
    ['update contract_sums set autorizado = autorizado + 1'],
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

async function prepare (psql: Psql): Promise<void> {
  for (const folio of ['PRUEBA-1', 'PRUEBA-2']) await psql(`insert into contracts (company_id, folio, monto) values (${rows.company}, $1, 100)`, [folio])
  for (const descripcion of ['primera', 'segunda', 'tercera']) await psql(`insert into estimates (company_id, contract_id, descripcion) values (${rows.company}, ${rows.contract}, $1)`, [descripcion])
  await psql(`insert into contrapartes (company_id, nombre) values (${rows.company}, 'Prueba')`)
  await psql("update estimates set monto = 10 where descripcion = 'tercera'")
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
