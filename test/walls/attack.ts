import type { Test } from 'tap'
import type { Client, TestServer } from '../helper.ts'
import type { Row } from '../../src/database/sql.ts'

/** A record of another tenant that somebody goes after. */
export interface Victim {
  company: number
  id: number
  folio: string
  external_id: string
  contraparte: number
  nombre: string
}

/** Gives `Otra Uno` a counterparty and a contract that nobody else has the like of. */
export async function plantVictim ({ psql }: TestServer): Promise<Victim> {
  const [party] = await psql("insert into contrapartes (company_id, nombre) select id, 'Oculta, S.A.' from companies where nombre = 'Otra Uno' returning id, company_id, nombre") as [Row]
  const { id: contraparte, company_id: company, nombre } = party as { id: number, company_id: number, nombre: string }
  const [contract] = await psql(`
    insert into contracts (company_id, folio, external_id, contraparte_id, monto, descripcion, estado)
    values ($1, 'SECRETO-1', 'erp-secreto', $2, 777777.77, 'obra reservada', 'terminado') returning id, folio, external_id`, [company, contraparte]) as [Row]
  return { company, contraparte, nombre, ...contract } as Victim
}

const text = (value: unknown) => JSON.stringify(value)

/**
 * Goes after another tenant's record in every way that the API has, and asserts that each ends as if the record did not exist and
 * leaves no trace in it.
 */
export async function attack (t: Test, server: TestServer, attacker: Client, owner: Client, victim: Victim): Promise<void> {
  const { psql } = server
  const { id, contraparte, nombre, folio, external_id: external } = victim
  const theirs = async () => await psql('select to_jsonb(c) as c from contracts c where company_id = $1 union all select to_jsonb(p) from contrapartes p where company_id = $1 union all select to_jsonb(r) from company_revisions r where company_id = $1', [victim.company])
  const before = await theirs()
  const absent = 2_000_000_000
  const [own] = (await attacker.get('contracts/?page_size=1')).json().results
  // The same request, about the victim and about what nobody has: the answers must not differ.
  const likeAbsent = async (send: (id: number) => ReturnType<Client['get']>, status: number, real: number) => {
    const [answer, expected] = [await send(real), await send(absent)]
    t.equal(answer.statusCode, status)
    t.equal(answer.body.replaceAll(String(real), String(absent)), expected.body)
  }

  await likeAbsent(async id => await attacker.get(`contracts/${id}/`), 404, id)
  await likeAbsent(async id => await attacker.get(`contracts/${id}/?fields=monto`), 404, id)
  await likeAbsent(async id => await attacker.send('PUT', `contracts/${id}/`, { folio: 'MÍO' }), 404, id)
  await likeAbsent(async id => await attacker.send('PATCH', `contracts/${id}/`, { estado: 'vigente' }), 404, id)
  await likeAbsent(async id => await attacker.send('PATCH', `contracts/${id}/`, {}, { 'if-match': '"1.1.x.99"' }), 404, id)
  await likeAbsent(async id => await attacker.send('DELETE', `contracts/${id}/`), 404, id)
  await likeAbsent(async id => await attacker.send('DELETE', `contracts/${id}/`, undefined, { 'if-match': '"1.1.x.99"' }), 404, id)

  for (const [method, url, folio] of [['POST', 'contracts/', 'A-1'], ['PUT', `contracts/${own.id}/`, own.folio], ['PATCH', `contracts/${own.id}/`, own.folio]] as const) {
    await likeAbsent(async parent => await attacker.send(method, url, { folio, parent }), 400, id)
    await likeAbsent(async contraparte => await attacker.send(method, url, { folio, contraparte }), 400, contraparte)
    const named = await attacker.send(method, url, { folio, contraparte: nombre })
    t.same([named.statusCode, Object.keys(named.json().errors)], [400, ['contraparte']])
    const company = await attacker.send(method, url, { folio, company: victim.company })
    t.same([company.statusCode, Object.keys(company.json().errors)], [400, ['company']])
  }

  const filters = [`parent=${id}`, `contraparte=${contraparte}`, `contraparte=${encodeURIComponent(nombre)}`, `folio=${folio}`, `external_id=${external}`, 'search=reservada', 'search=oculta', 'monto_min=777777.77&monto_max=777777.77']
  for (const filter of filters) {
    const { count, results } = (await attacker.get(`contracts/?${filter}`)).json()
    t.same([count, results], [0, []], filter)
  }

  const { next } = (await owner.get('contracts/?ordering=-id&page_size=2')).json()
  const cursor = new URL(next).searchParams.get('cursor') as string
  for (const query of [`cursor=${cursor}&ordering=-id&page=2&page_size=200`, 'page_size=200', 'page=last&page_size=200', 'ordering=-monto&page_size=200']) {
    const { results } = (await attacker.get(`contracts/?${query}`)).json()
    t.ok(results.length > 0, query)
    t.ok(results.every((contract: Row) => contract['company'] === own.company), query)
    t.notMatch(text(results), /SECRETO|Oculta|OU-/, query)
  }

  const { etag } = (await owner.get('contracts/?page_size=2')).headers
  t.equal((await attacker.get('contracts/?page_size=2', { 'if-none-match': etag as string })).statusCode, 200)

  // What is unique is so within a company: another one's folio is free, which also tells nothing.
  const twin = await attacker.post('contracts/', { folio, external_id: external })
  t.equal(twin.statusCode, 201)
  t.equal((await attacker.send('DELETE', `contracts/${twin.json().id}/`)).statusCode, 204)
  t.same(await theirs(), before, 'the other tenant is as it was')
}
