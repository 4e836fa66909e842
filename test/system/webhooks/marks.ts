import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from './endpoint.ts'
import { recordOf, type Item } from './items.ts'
import type { User } from './user.ts'

const resources = { contracts: 'descripcion', contrapartes: 'notas', estimates: 'descripcion' }

/** A record of each resource that only marks change, and the contract of the estimates. */
export type Base = Record<keyof typeof resources, number> & { contract: number }

/** The last changes of a company: for each type of event, whether a change is the last one. */
export type Marks = Map<string, (item: Item) => boolean>

/** Creates the records that {@link writeMarks} changes. */
export async function makeBase (user: User): Promise<Base> {
  const contract = await create(user, 'contracts', { folio: 'mark-main', monto: '1000.00' })
  const made = await Promise.all(Object.keys(resources).map(async resource => [resource, await create(user, resource, bodyOf(resource, 'mark-base', contract))]))
  return { ...Object.fromEntries(made), contract }
}

/** Creates, changes and deletes a record of each resource. @param name part of their names */
export async function writeMarks (user: User, base: Base, name: string): Promise<Marks> {
  const marks: Marks = new Map()
  for (const [resource, text] of Object.entries(resources)) {
    const created = await create(user, resource, bodyOf(resource, `${name}-created`, base.contract))
    const deleted = await create(user, resource, bodyOf(resource, `${name}-deleted`, base.contract))
    await user.client.surely('DELETE', `${resource}/${deleted}/`)
    await user.client.surely('PATCH', `${resource}/${base[resource as keyof typeof resources]}/`, { body: { [text]: name }, codes: [200] })
    marks.set(`${resource}.created`, item => recordOf(item) === `${resource} ${created}`)
    marks.set(`${resource}.deleted`, item => recordOf(item) === `${resource} ${deleted}`)
    marks.set(`${resource}.updated`, ({ record }) => record?.[text] === name)
  }
  return marks
}

/** Waits until a receiver has accepted all marks that its webhook subscribes. @param patience in ms @returns the missing types */
export async function arrival ({ receiver, events }: Endpoint, marks: Marks, patience: number): Promise<string[]> {
  for (const late = performance.now() + patience; ; await sleep(20)) {
    const items = receiver.hits.slice(-1000).filter(({ isAccepted }) => isAccepted).flatMap(({ items }) => items)
    const missing = events.filter(type => !items.some(item => item.type === type && (marks.get(type) as (item: Item) => boolean)(item)))
    if (missing.length === 0 || performance.now() > late) return missing
  }
}

/** Creates a record. @returns its id */
export async function create ({ client }: User, resource: string, body: object): Promise<number> {
  return (await client.surely('POST', `${resource}/`, { body, codes: [201] })).answer.body.id
}

/** A valid record. */
export function bodyOf (resource: string, name: string, contract: number): object {
  if (resource === 'contracts') return { folio: name }
  return resource === 'contrapartes' ? { nombre: name } : { contract, monto: '1.00' }
}
