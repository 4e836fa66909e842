import type { Client } from '../../support/helper.ts'

const lists = [
  'contracts', 'estimates', 'contrapartes', 'conceptos', 'convenios', 'generadores', 'movimientos', 'pagos', 'programa', 'adjuntos', 'webhooks',
  'history'
]
const accountLists = ['companies', 'users', 'memberships']

/** Answers by URL. */
export type Answers = Record<string, unknown>

/** The answers that a release keeps: lists and reports of the demo data, as a Director and as a Corporativo see them. */
export async function answersOf (director: Client, corporate: Client): Promise<Answers> {
  const answers: Answers = {}
  const ask = async (client: Client, url: string) => { answers[url] = (await client.get(url)).json() }
  for (const list of lists) await ask(director, `${list}/?page_size=200`)
  for (const list of accountLists) await ask(corporate, `${list}/?page_size=200`)
  const { results } = answers['estimates/?page_size=200'] as { results: Array<{ id: number, contract: number }> }
  for (const { id, contract } of results) {
    await ask(director, `estimates/${id}/caratula/`)
    await ask(director, `estimates/${id}/conceptos/`)
    await ask(director, `contracts/${contract}/estado-de-cuenta/`)
  }
  return answers
}

/** The paths of values of an answer that a later answer no longer has. Releases can add fields, but no records. */
export function lostFrom (later: unknown, earlier: unknown, path: string): string[] {
  if (typeof earlier !== 'object' || earlier === null) return later === earlier ? [] : [`${path}: ${JSON.stringify(later)} is not ${JSON.stringify(earlier)}`]
  const records = Object.entries(earlier).flatMap(([name, value]) => lostFrom(Object(later)[name], value, `${path}.${name}`))
  return Array.isArray(earlier) && Object(later).length !== earlier.length ? [`${path}: ${Object(later).length} instead of ${earlier.length}`] : records
}
