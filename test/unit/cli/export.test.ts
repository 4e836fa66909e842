import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Row } from '../../../src/database/connection/sql.ts'
import { companyResources, entities, recordedResources } from '../../../src/domain/entities/index.ts'
import { attaching, fileOf, sha256Of, type Attaching } from '../../support/attaching.ts'
import { newFolder } from '../../support/process.ts'
import { succeeded } from '../../support/succeeded.ts'
import { parse, sharing, type Outcome } from './parse.ts'

/** Tables that an export leaves out: sessions, what triggers derive from records, and what only serves requests and deliveries. */
const leftOut = [
  'sessions', 'refresh_tokens', 'known_addresses', 'authority_revisions', 'company_revisions', 'changes', 'purged_revisions',
  'estimate_sums', 'contract_sums', 'movement_sums', 'subcontract_sums', 'contract_levels', 'estimate_lines', 'concepto_sums', 'caratulas',
  'idempotency_keys', 'devices', 'mutations', 'device_refs', 'webhook_cursors', 'webhook_deliveries', 'uploads', 'last_backup'
]

const webhookKey = 'a key of the tests for webhooks, 32 bytes or more'

/** Exports the data of a customer of the test's server. */
async function exported (t: Test, server: Attaching, customer: number, ...more: string[]) {
  const folder = join(newFolder(t).dir, 'export')
  const env = { DATA_DIR: join(server.folder, '..'), ...server.bucket && { FILES_URL: server.bucket.url } }
  const outcome: Outcome = await parse(['export', '--customer', String(customer), '--to', folder, ...more], env, { databases: sharing(server) })
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  return { folder, env, outcome, text, rows: (path: string): Row[] => JSON.parse(text(`${path}.json`)) }
}

t.test('a customer is exported with all companies, records and files', async (t) => {
  const server = await attaching(t, { WEBHOOK_KEY: webhookKey })
  const { director, psql } = server
  const many = Array.from({ length: 600 }, (_, index) => ({ nombre: `=Proveedor "${index}",\n` }))
  succeeded(await director.post('contrapartes/bulk/', { items: many }))
  succeeded(await director.post('webhooks/', { url: 'https://erp.example.mx/obra' }))
  const contract = await server.contract()
  const [photo, lost, pending] = [fileOf('image/jpeg', 'photo', 100_000), fileOf('image/jpeg', 'lost'), fileOf('image/jpeg', 'pending')]
  for (const file of [photo, lost]) {
    const { id } = await server.attach(file, { contract })
    t.equal((await server.put(id, file)).status, 200)
  }
  await server.attach(pending, { contract })
  const { folder, outcome, text, rows } = await exported(t, server, 1)
  t.match(outcome, { error: undefined, err: '', out: /: Constructora Demo, 2 companies, \d+ rows, 2 files of attachments\n$/ })

  await t.test('the lists have the rows and the values of the database', async (t) => {
    const shown = recordedResources.map(({ name }) => name)
    const tables = entities.map(({ meta }) => meta.tableName)
    t.strictSame(tables.filter(name => ![...shown, ...leftOut, 'history', 'stored_files'].includes(name)), [], 'decide whether an export has these tables')
    const same = (path: string, records: Row[], stored: Row[]) => {
      const { columns, printed } = recordedResources.find(({ name }) => path.endsWith(name)) as typeof recordedResources[number]
      // An empty list of events stands for the usual ones.
      const own = [...Object.keys(columns), 'created_at', 'version'].filter(name => !(name in printed || name === 'events'))
      const values = (row: Row, other: Row | undefined) => own.filter(field => field in row && other !== undefined && field in other).map(field => row[field])
      t.strictSame(records.map(({ id }) => id), stored.map(({ id }) => id), path)
      // Other fields are joined, derived, or named after the record that they refer to.
      t.strictSame(records.map((row, index) => values(row, stored[index])), stored.map((row, index) => values(row, records[index])), path)
      t.ok(records.length === 0 || values(records[0] as Row, stored[0]).length > 2)
    }
    for (const company of [1, 2]) {
      for (const { name } of companyResources) {
        const path = `companies/${company}/${name}`
        same(path, rows(path), await psql(`select * from ${name} where company_id = $1 order by id`, [company]))
      }
      const [{ n }] = await psql('select count(*)::int as n from history where company_id = $1', [company]) as [{ n: number }]
      t.equal(rows(`companies/${company}/history`).length, n)
    }
    same('customers', rows('customers'), await psql('select * from customers where id = 1'))
    same('companies', rows('companies'), await psql('select * from companies where customer_id = 1 order by id'))
    same('users', rows('users'), await psql('select * from users where customer_id = 1 order by id'))
    same('memberships', rows('memberships'), await psql('select m.* from memberships m join companies c on c.id = m.company_id where c.customer_id = 1 order by m.id'))
    const [{ n }] = await psql('select count(*)::int as n from history where company_id = 0 and customer = 1') as [{ n: number }]
    t.equal(rows('history').length, n)
    t.ok(rows('companies/1/contrapartes').length > 600 && n > 0)
  })

  await t.test('the CSV files are those of the API', async (t) => {
    const corporativo = await server.as('corporativo@demo.example')
    for (const { name } of companyResources) {
      const { statusCode, body } = await director.get(`${name}/?ordering=id`, { accept: 'text/csv' })
      t.equal(statusCode, 200, body)
      t.equal(text(`companies/1/${name}.csv`), body, name)
    }
    t.equal(text('companies/1/history.csv'), (await director.get('history/', { accept: 'text/csv' })).body)
    for (const name of ['companies', 'users', 'memberships']) {
      t.equal(text(`${name}.csv`), (await corporativo.get(`${name}/?ordering=id`, { accept: 'text/csv' })).body, name)
    }
  })

  await t.test('the files of attachments are complete', async (t) => {
    t.strictSame(readdirSync(join(folder, 'companies/1/files')).sort(), [sha256Of(photo), sha256Of(lost)].sort())
    t.ok(readFileSync(join(folder, 'companies/1/files', sha256Of(photo))).equals(photo))
    t.match(rows('companies/1/files').find(({ sha256 }) => sha256 === sha256Of(photo)), { bytes: 100_000, tipo: 'image/jpeg', path: `files/${sha256Of(photo)}` })
    t.strictSame(readdirSync(join(folder, 'companies/2/files')), [])
  })

  await t.test('the manifest lists each file, and no other customer or secret is in any of them', async (t) => {
    const manifest = JSON.parse(text('manifest.json'))
    t.match(manifest, { obra: 'export', format: 1, at: /Z$/, customer: { id: 1 }, companies: [{ id: 1, nombre: 'Obra Norte' }, { id: 2 }], files: 2 })
    t.strictSame(manifest.lost, [])
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const paths = found.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    t.strictSame(paths.filter(path => !/^manifest|\/files\//.test(path)).sort(), manifest.lists.map(({ path }: { path: string }) => path).sort())
    for (const { path, rows: count, bytes, sha256 } of manifest.lists) {
      const content = readFileSync(join(folder, path))
      t.strictSame([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256], path)
      if (path.endsWith('.json')) t.equal(JSON.parse(content.toString()).length, count, path)
      t.notMatch(content.toString(), /otra\.example|Otra Uno|\$argon2|pbkdf2_|whsec_/, path)
    }
    for (const path of ['', ...paths]) t.equal(statSync(join(folder, path)).mode & 0o077, 0, `only the owner reads ${path}`)
  })

  await t.test('a folder that is not empty, and an unknown customer, are refused', async (t) => {
    const databases = sharing(server)
    t.match(await parse(['export', '--customer', '1', '--to', folder], {}, { databases }), { out: '', error: { message: `${folder} is not empty: name a new folder` } })
    t.match((await exported(t, server, 999)).outcome, { out: '', error: { message: 'no such customer: 999' } })
  })

  await t.test('missing and damaged files are named, and everything else is exported', async (t) => {
    unlinkSync(join(server.folder, '1', sha256Of(lost)))
    writeFileSync(join(server.folder, '1', sha256Of(photo)), 'damaged')
    const { folder, outcome, text } = await exported(t, server, 1)
    const keys = [`1/${sha256Of(photo)}`, `1/${sha256Of(lost)}`].sort()
    t.match(outcome, { out: /, 0 files of attachments\n$/, error: { message: `files are missing or damaged in the folder \`files\` of DATA_DIR: ${keys.join(', ')}; everything else is exported` } })
    t.match(JSON.parse(text('manifest.json')), { files: 0, lost: keys })
    t.strictSame(readdirSync(join(folder, 'companies/1/files')), [])

    const without = await exported(t, server, 1, '--no-files', '--json')
    t.match(JSON.parse(without.outcome.out), { customer: 1, companies: 2, rows: Number, files: null, lost: 0 })
    t.notOk(existsSync(join(without.folder, 'companies/1/files')))
    t.equal(without.rows('companies/1/files').length, 2, 'the files are still listed')
  })
})

t.test('files in a bucket are exported', async (t) => {
  const server = await attaching(t, {}, 'bucket')
  const [photo, lost] = [fileOf('image/jpeg', 'photo', 100_000), fileOf('image/jpeg', 'lost')]
  const contract = await server.contract()
  for (const file of [photo, lost]) t.equal((await server.put((await server.attach(file, { contract })).id, file)).status, 200)
  unlinkSync(server.pathOf(`1/${sha256Of(lost)}`))
  const { folder, outcome } = await exported(t, server, 1)
  t.match(outcome, { error: { message: `files are missing or damaged in the bucket obra-files of FILES_URL: 1/${sha256Of(lost)}; everything else is exported` } })
  t.ok(readFileSync(join(folder, 'companies/1/files', sha256Of(photo))).equals(photo))
})
