import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
await psql("update users set company_id = 1 where email = 'corporativo@demo.example'")
const emails = ['director@demo.example', 'coordinador@demo.example', 'corporativo@demo.example']
const clients = await Promise.all(emails.map(async email => await as(email)))
const users = await Promise.all(emails.map(async email => (await psql('select id from users where email = $1', [email]))[0]?.['id'] as number))

interface Entry { resource: string, record: number, version: number, user: { id: number } | null, operation: string, fields: Record<string, any> }

const operation = fc.record({
  by: fc.nat(2),
  kind: fc.constantFrom('contract', 'party', 'estimate', 'change', 'move', 'rename', 'send', 'remove', 'bulk', 'psql'),
  pick: fc.nat(1000),
  amount: fc.nat(100_000),
  text: fc.string({ maxLength: 8 })
})

t.test('the history of random writes, several at once, replays to the present records', async (t) => {
  const operations = fc.sample(operation, { numRuns: 150, seed: Number(process.env['SEED'] ?? Date.now() % 1e6) })
  const ids = async (resource: string) => (await psql(`select id from ${resource} where company_id = 1 order by id`)).map(({ id }) => id as number)
  for (let start = 0; start < operations.length; start += 6) {
    const [contracts, estimates, parties] = await Promise.all([ids('contracts'), ids('estimates'), ids('contrapartes')]) as [number[], number[], number[]]
    await Promise.all(operations.slice(start, start + 6).map(async ({ by, kind, pick, amount, text }, index) => {
      const client = clients[by]
      const of = (all: number[]) => all[pick % all.length]
      const monto = (amount / 100).toFixed(2)
      const name = `${start + index}`
      switch (kind) {
        case 'contract': return await client.post('contracts/', { folio: `R-${name}`, monto, contraparte: of(parties), descripcion: text })
        case 'party': return await client.post('contrapartes/', { nombre: `R-${name}`, notas: text })
        case 'estimate': return await client.post('estimates/', { contract: of(contracts), monto, descripcion: text })
        case 'change': return await client.send('PATCH', `contracts/${of(contracts)}/`, { monto, descripcion: text })
        case 'move': return await client.send('PATCH', `contracts/${of(contracts)}/`, { parent: pick % 3 === 0 ? null : contracts[amount % contracts.length], fecha_inicio: '2026-02-03' })
        case 'rename': return await client.send('PATCH', `contrapartes/${of(parties)}/`, { notas: text, telefono: name })
        case 'send': return await client.send('PATCH', `estimates/${of(estimates)}/`, { estado: pick % 2 === 0 ? 'enviada' : 'autorizada' })
        case 'remove': return await client.send('DELETE', pick % 2 === 0 ? `contracts/${of(contracts)}/` : `estimates/${of(estimates)}/`)
        case 'bulk': return await client.post('contracts/bulk/', { upsert: 'external_id', partial: true, items: [1, 2, 3].map(n => ({ folio: `B-${pick % 5}-${n}`, external_id: `b-${pick % 5}-${n}`, monto, parent: of(contracts) })) })
        case 'psql': return await psql('update contrapartes set notas = $1 where id = $2 and notas <> $1', [monto, of(parties)])
      }
    }))
  }

  const entries: Entry[] = []
  for (let url: string | undefined = 'history/?page_size=200'; url !== undefined;) {
    const { next, results }: { next: string | null, results: Entry[] } = (await clients[0].get(url)).json()
    entries.push(...results)
    url = next?.replace(/.*\/api\/v1\//, '')
  }
  const records = new Map<string, { version: number, fields: Record<string, unknown> }>()
  for (const { resource, record, version, operation, fields } of entries.reverse()) {
    const key = `${resource}/${record}`
    const known = records.get(key)
    if (operation === 'insert') {
      records.set(key, { version, fields })
      // The demo has a movement. It raises the version of its estimate, whose stored values stay the same.
      const estimate = resource === 'movimientos' ? records.get(`estimates/${String(fields['estimate'])}`) : undefined
      if (estimate !== undefined) estimate.version++
    } else if (operation === 'delete') {
      if (JSON.stringify(known) !== JSON.stringify({ version, fields })) t.fail(`${key} was deleted with other values`)
      records.delete(key)
    } else {
      for (const [field, [before]] of Object.entries(fields)) if (JSON.stringify(known?.fields[field]) !== JSON.stringify(before)) t.fail(`${key}.${field} had another value`)
      if (version !== (known?.version ?? 0) + 1) t.fail(`${key} skipped a version`)
      records.set(key, { version, fields: { ...known?.fields, ...Object.fromEntries(Object.entries(fields).map(([field, [, after]]) => [field, after])) } })
    }
  }
  let compared = 0
  for (const resource of ['contracts', 'estimates', 'contrapartes']) {
    for (const id of await ids(resource)) {
      const present = (await clients[0].get(`${resource}/${id}/`)).json()
      const { version, fields } = records.get(`${resource}/${id}`) as NonNullable<ReturnType<typeof records.get>>
      // Amounts of an estimate are stored when it is authorized.
      const shown = Object.entries(fields).filter(([field, value]) => value !== null || !['amortizacion', 'retencion', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto'].includes(field))
      const values = Object.fromEntries(shown.map(([field]) => [field, present[field]]))
      if (JSON.stringify([version, Object.fromEntries(shown)]) !== JSON.stringify([present.version, values])) t.strictSame([version, Object.fromEntries(shown)], [present.version, values], `${resource}/${id}`)
      records.delete(`${resource}/${id}`)
      compared++
    }
  }
  t.strictSame([...records.keys()].filter(key => /contracts|estimates|contrapartes/.test(key)), [], 'no record more')
  t.ok(compared > 100)
  for (const user of users) t.ok(entries.some(entry => entry.user?.id === user))
})
