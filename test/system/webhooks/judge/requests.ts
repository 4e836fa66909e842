import type { Endpoint } from '../endpoint.ts'
import { isCut, isPing, type Hit } from '../hit.ts'

/** Checks the requests of a webhook: one at a time, none while inactive or to a former URL, signed and fresh, with an id of their content. */
export function requestFaults (endpoint: Endpoint): string[] {
  const { name, receiver } = endpoint
  const all = receiver.hits.filter(hit => !isPing(hit))
  return [
    ...overlaps(all),
    ...late(endpoint, all),
    ...signatures(endpoint, all),
    ...ids(all)
  ].map(fault => `${name}: ${fault}`)
}

function overlaps (hits: Hit[]): string[] {
  const faults: string[] = []
  let open: Hit | undefined
  for (const hit of hits) {
    // The lease of a suspended server has ended.
    if (open !== undefined && open.end > hit.at && !open.isFrozen) faults.push(`${told(hit)} begins ${Math.round(open.end - hit.at)} ms before the end of ${told(open)}`)
    if (open === undefined || hit.end > open.end || open.isFrozen) open = hit
  }
  return faults
}

/** One request can be on its way when the owner switches the webhook off or changes its URL. */
function late ({ inactive, paths }: Endpoint, all: Hit[]): string[] {
  const repeated = repetitions(all)
  const hits = all.filter(hit => !repeated.has(hit))
  const off = inactive.flatMap(({ from, to }) => {
    const found = hits.filter(({ at }) => at > from && at < to)
    return found.length > 1 ? [`${found.length} requests arrived while it was inactive: ${timed(found, from)}`] : []
  })
  const elsewhere = paths.flatMap(({ since }, number) => {
    const former = paths.slice(0, number).map(({ path }) => path)
    const found = hits.filter(({ at, path }) => at > since && former.includes(path))
    return found.length > 1 ? [`${found.length} requests arrived at ${former.at(-1)} after the URL was changed: ${timed(found, since)}`] : []
  })
  return [...off, ...elsewhere]
}

function signatures ({ secrets }: Endpoint, hits: Hit[]): string[] {
  const faults: string[] = []
  const repeated = repetitions(hits)
  let previous: Hit | undefined
  for (const hit of hits.filter(({ body }) => body !== '')) {
    const { unverified, timestamp, clock } = hit
    for (const number of unverified) {
      // The request can have been signed before the rotation, even if it repeats one whose connection was cut.
      const since = secrets[number]?.since ?? 0
      if (number === 0 || (previous !== undefined && previous.end > since && !repeated.has(hit))) faults.push(`${told(hit)} is not signed with secret ${number + 1}`)
    }
    // The end of a killed server's connection is noticed late.
    const signedAfter = previous === undefined || repeated.has(hit) ? 0 : isCut(previous) ? previous.timestamp : Math.floor((previous.clock + previous.end - previous.at) / 1000)
    if (!(timestamp >= signedAfter && timestamp <= Math.ceil(clock / 1000))) faults.push(`${told(hit)} has the timestamp ${timestamp}, but arrived at ${clock / 1000}, and the one before ended at ${signedAfter}`)
    // The other server continues before the end of a request of a suspended one.
    if (!hit.isFrozen) previous = hit
  }
  return faults
}

/** Requests that the sender has repeated with the same headers, because the connection was cut. A suspended server does it late, after requests of the other one. */
function repetitions (hits: Hit[]): Set<Hit> {
  const cut = new Set<string>()
  const found = new Set<Hit>()
  for (const hit of hits) {
    const key = `${hit.timestamp} ${hit.id}`
    // Each request is repeated once.
    if (cut.delete(key)) found.add(hit)
    else if (isCut(hit)) cut.add(key)
  }
  return found
}

function ids (hits: Hit[]): string[] {
  const faults: string[] = []
  const bodies = new Map<string, string>()
  const idsOf = new Map<string, string>()
  for (const { id, body } of hits.filter(({ body }) => body !== '')) {
    if ((bodies.get(id) ?? body) !== body) faults.push(`two bodies have the id ${id}: ${bodies.get(id)?.slice(0, 300)} and ${body.slice(0, 300)}`)
    if ((idsOf.get(body) ?? id) !== id) faults.push(`the ids ${idsOf.get(body)} and ${id} have the same body`)
    bodies.set(id, body)
    idsOf.set(body, id)
  }
  return faults
}

/** Requests with their times after `start`. */
function timed (hits: Hit[], start: number): string {
  return hits.slice(0, 5).map(hit => `${hit.path} after ${Math.round(hit.at - start)} to ${Math.round(hit.end - start)} ms ${told(hit)}`).join('; ')
}

function told ({ items, id, fate, isAccepted }: Hit): string {
  return `${items.map(({ type, id, revision }) => `${type} ${id} at ${revision}`).join(', ')} (${id.slice(0, 12)}, ${isAccepted ? 'accepted' : fate})`
}
