import type { Test } from 'tap'
import type { Client, TestServer } from '../../support/helper.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import type { Victim } from './victim.ts'

const absent = 2_000_000_000

/**
 * Attacks another tenant's records through every part of the API. Asserts that each answer is as if the record did not exist,
 * and that the records do not change.
 */
export async function attack (t: Test, { psql }: TestServer, attacker: Client, owner: Client, victim: Victim): Promise<void> {
  const { id, contraparte, nombre, folio, external_id: external, estimate } = victim
  const theirs = async () => await psql(`
    select to_jsonb(c) as c from contracts c where company_id = $1 union all select to_jsonb(p) from contrapartes p where company_id = $1
    union all select to_jsonb(e) from estimates e where company_id = $1 union all select to_jsonb(r) from company_revisions r where company_id = $1`, [victim.company])
  const before = await theirs()
  const [own] = (await attacker.get('contracts/?page_size=1')).json().results
  const [party] = (await attacker.get('contrapartes/?page_size=1')).json().results
  const bill = (await attacker.post('estimates/', { contract: own.id })).json()
  // Sends the same request for the victim's record and for an absent one: the answers must be equal.
  const likeAbsent = async (send: (id: number) => ReturnType<Client['get']>, status: number, real: number) => {
    const [answer, expected] = [await send(real), await send(absent)]
    t.equal(answer.statusCode, status, answer.body)
    t.equal(answer.body.replaceAll(String(real), String(absent)), expected.body)
  }

  for (const [resource, real, put, patches] of [
    ['contracts', id, { folio: 'MÍO' }, [{ estado: 'vigente' }, { monto: '0' }]],
    ['contrapartes', contraparte, { nombre: 'MÍA' }, [{ activo: true }]],
    ['estimates', estimate, { contract: own.id }, [{ contract: id }, { estado: 'autorizada' }, { estado: 'rechazada', motivo_rechazo: 'x' }, { monto: '1' }]]
  ] as const) {
    const stale = { 'if-match': '"1.1.x.99"' }
    const paths = ['', '?fields=id', ...resource === 'contracts' ? ['tree/', 'tree/?depth=1', 'ancestors/'] : []]
    for (const path of paths) await likeAbsent(async id => await attacker.get(`${resource}/${id}/${path}`), 404, real)
    await likeAbsent(async id => await attacker.send('PUT', `${resource}/${id}/`, put), 404, real)
    for (const fields of patches) await likeAbsent(async id => await attacker.send('PATCH', `${resource}/${id}/`, fields), 404, real)
    await likeAbsent(async id => await attacker.send('PATCH', `${resource}/${id}/`, {}, stale), 404, real)
    await likeAbsent(async id => await attacker.send('DELETE', `${resource}/${id}/`), 404, real)
    await likeAbsent(async id => await attacker.send('DELETE', `${resource}/${id}/`, undefined, stale), 404, real)
  }

  const writes = [
    ['POST', 'contracts/', { folio: 'A-1' }], ['PUT', `contracts/${own.id}/`, { folio: own.folio }], ['PATCH', `contracts/${own.id}/`, {}],
    ['POST', 'contrapartes/', { nombre: 'A-1' }], ['PUT', `contrapartes/${party.id}/`, { nombre: party.nombre }], ['PATCH', `contrapartes/${party.id}/`, {}],
    ['POST', 'estimates/', { contract: own.id }], ['PUT', `estimates/${bill.id}/`, { contract: own.id }], ['PATCH', `estimates/${bill.id}/`, {}]
  ] as const
  for (const [method, url, body] of writes) {
    const company = await attacker.send(method, url, { ...body, company: victim.company })
    t.same([company.statusCode, Object.keys(company.json().errors)], [400, ['company']])
    if (url.startsWith('estimates')) await likeAbsent(async contract => await attacker.send(method, url, { ...body, contract }), 400, id)
    if (!url.startsWith('contracts')) continue
    await likeAbsent(async parent => await attacker.send(method, url, { ...body, parent }), 400, id)
    await likeAbsent(async contraparte => await attacker.send(method, url, { ...body, contraparte }), 400, contraparte)
    const named = await attacker.send(method, url, { ...body, contraparte: nombre })
    t.same([named.statusCode, Object.keys(named.json().errors)], [400, ['contraparte']])
  }

  const filters = {
    contracts: [`parent=${id}`, `contraparte=${contraparte}`, `contraparte=${encodeURIComponent(nombre)}`, `folio=${folio}`, `external_id=${external}`, 'search=reservada', 'search=oculta', 'monto_min=777777.77&monto_max=777777.77'],
    contrapartes: [`external_id=${external}`, 'search=oculta', 'rfc=GODE561231GR8', 'activo=false'],
    estimates: [`contract=${id}`, `external_id=${external}`, 'search=reservado', 'search=secreto', `contract=${id}&estado=pagada`, 'periodo_desde=2031-01-01&periodo_hasta=2031-01-31']
  }
  for (const [resource, queries] of Object.entries(filters)) {
    for (const query of queries) {
      const { count, results } = (await attacker.get(`${resource}/?${query}`)).json()
      t.same([count, results], [0, []], query)
    }
    const { next } = (await owner.get(`${resource}/?ordering=-id&page_size=2`)).json()
    const cursor = new URL(next).searchParams.get('cursor') as string
    for (const query of [`cursor=${cursor}&ordering=-id&page=2&page_size=2`, 'page_size=200', 'page=last&page_size=200', 'ordering=-updated_at&page_size=200']) {
      const { results } = (await attacker.get(`${resource}/?${query}`)).json()
      t.ok(results.length > 0 || query.startsWith('cursor'), query)
      t.ok(results.every((record: Row) => record['company'] === own.company), query)
      t.notMatch(JSON.stringify(results), /SECRETO|Oculta|OU-/, query)
    }
    const { etag } = (await owner.get(`${resource}/?page_size=2`)).headers
    t.equal((await attacker.get(`${resource}/?page_size=2`, { 'if-none-match': etag as string })).statusCode, 200)
  }

  // Unique values are unique per company: another company's values can be used, which reveals nothing.
  for (const [resource, body] of [['estimates', { contract: own.id, external_id: external }], ['contracts', { folio, external_id: external }], ['contrapartes', { nombre, external_id: external }]] as const) {
    const twin = await attacker.post(`${resource}/`, body)
    t.equal(twin.statusCode, 201)
    t.equal((await attacker.send('DELETE', `${resource}/${twin.json().id}/`)).statusCode, 204)
  }
  t.equal((await attacker.send('DELETE', `estimates/${bill.id}/`)).statusCode, 204)
  t.same(await theirs(), before, 'the other tenant has not changed')
}
