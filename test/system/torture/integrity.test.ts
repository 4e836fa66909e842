import t, { type Test } from 'tap'
import { demoPlace } from '../../support/process.ts'
import { brokenRules, ruleCount, type Psql } from './integrity.ts'
import { looking } from './places.ts'

const rows = {
  contract: "(select id from contracts where folio = 'PRUEBA-1')",
  other: "(select min(id) from contracts where company_id = (select id from companies where nombre = 'Otra Uno'))",
  company: "(select id from companies where nombre = 'Obra Norte')"
}

const counters = 'a counter says as many records as there are'
const log = 'the change log knows each record that there is, and as it is'
const versions = 'a record has a version for each of its changes'
const references = 'no reference leaves its company'

/** By rule, what breaks it, and which others break with it. */
const spoilt: Record<string, Array<[statements: string, ...alsoBroken: string[]]>> = {
  [counters]: [
    ['update company_revisions set contracts = contracts + 1'],
    ['update company_revisions set contrapartes = contrapartes - 1'],
    ['update company_revisions set estimates = estimates + 1']
  ],
  'a revision is that of its last change': [
    [`update company_revisions set revision = revision + 1 where company_id = ${rows.company}`],
    [`update company_revisions set revision = revision - 1 where company_id = ${rows.company}`]
  ],
  'revisions have no holes': [
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
  'estimates are numbered without holes': [
    ["update estimates set numero = 5 where descripcion = 'tercera'"],
    ['update estimates set numero = numero - 1']
  ],
  'no contract is overdrawn': [
    ['update estimates set estado = \'autorizada\', neto = 0, monto = 100.01 where descripcion = \'tercera\''],
    [`update estimates set estado = 'pagada', neto = 0, monto = 33.34 where contract_id = ${rows.contract}`]
  ],
  'a closed contract gets no more estimates': [
    [`update contracts set estado = 'terminado' where id = ${rows.contract}`],
    [`update contracts set estado = 'cancelado' where id = ${rows.contract}`]
  ],
  'no contract is under itself': [
    [`update contracts set parent_id = id where id = ${rows.contract}`],
    [`update contracts set parent_id = ${rows.contract} where folio = 'PRUEBA-2'; update contracts set parent_id = (select id from contracts where folio = 'PRUEBA-2') where id = ${rows.contract}`]
  ],
  [references]: [
    [`update contracts set parent_id = ${rows.other} where id = ${rows.contract}`],
    [`update contracts set contraparte_id = (select id from contrapartes where nombre = 'Prueba') where id = ${rows.other}`],
    [`update estimates set contract_id = ${rows.other} where contract_id = ${rows.contract}`]
  ],
  'an Idempotency-Key has one answer': [
    ['alter table idempotency_keys drop constraint idempotency_keys_unique; insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) select user_id, company_id, route, key, digest, status, headers, body from idempotency_keys']
  ]
}

/** The names of the rules that are broken once the statements have run, with nothing to guard against them; all of it is undone. */
async function brokenBy (psql: Psql, statements: string): Promise<string[]> {
  await psql('begin')
  await psql('set local session_replication_role = replica')
  for (const statement of statements.split(';')) await psql(statement)
  const broken = await brokenRules(psql)
  await psql('rollback')
  return broken.map(line => (/^not so: (.*): \d+, such as \{.*\}$/.exec(line) as unknown as [string, string])[1])
}

async function prepare (psql: Psql): Promise<void> {
  for (const folio of ['PRUEBA-1', 'PRUEBA-2']) await psql(`insert into contracts (company_id, folio, monto) values (${rows.company}, $1, 100)`, [folio])
  for (const descripcion of ['primera', 'segunda', 'tercera']) await psql(`insert into estimates (company_id, contract_id, descripcion) values (${rows.company}, ${rows.contract}, $1)`, [descripcion])
  await psql(`insert into contrapartes (company_id, nombre) values (${rows.company}, 'Prueba')`)
  await psql("update estimates set monto = 10 where descripcion = 'tercera'")
  await psql(`insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) select min(id), ${rows.company}, 'POST /', 'k', '', 201, '{}', '' from users`)
}

t.test('whatever rule a database breaks is named, and none where it breaks none', async (t: Test) => {
  t.equal(Object.keys(spoilt).length, ruleCount, 'every rule has something that breaks it')
  await looking(await demoPlace(t), async (psql) => {
    await prepare(psql)
    t.strictSame(await brokenRules(psql), [])
    for (const [rule, ways] of Object.entries(spoilt)) {
      for (const [statements, ...others] of ways) t.strictSame((await brokenBy(psql, statements)).sort(), [rule, ...others].sort(), `${rule}: ${statements}`)
    }
    t.strictSame(await brokenRules(psql), [], 'each was undone')
  })
})
