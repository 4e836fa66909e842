import assert from 'node:assert/strict'
import type { Random } from '../../test/support/trial/random.ts'
import type { Kind } from './kinds.ts'
import { each, pageSize } from './requests.ts'
import { perList, type WorksResource } from './works.ts'

/** A company with records of one resource. The ids of the records, and of the records with lists of them, follow each other. */
export interface WorksCompany {
  /** Number of the records. */
  size: number
  first: number
  /** The first record with a list, and the number of such records. */
  firstOwner: number
  owners: number
  random: Random
}

/** A kind of request for records of a resource. */
export interface WorksKind extends Kind<WorksCompany> {
  resource: WorksResource
}

/** The reference by which each resource is listed. */
export const ownerOf = {
  conceptos: 'contract', estimates: 'contract', generadores: 'estimate'
} as const satisfies Record<WorksResource, string>

const numberBelow = (count: number, random: Random) => Math.floor(random() * count)

function kindsOf (resource: WorksResource): WorksKind[] {
  const list = `/api/v1/${resource}/`
  const owner = ownerOf[resource]
  const kind = (name: string, about: string, path: (company: WorksCompany) => string, check: WorksKind['check']): WorksKind => (
    { resource, name: `${resource}-${name}`, about, bar: true, next: each(path), check })
  const hasPageOf = (body: Parameters<WorksKind['check']>[0], count: number) => {
    assert.deepEqual([body.count, body.results.length], [count, pageSize])
  }
  return [
    kind('page-1', `the first page of ${resource}`, () => list, (body, { size }) => hasPageOf(body, size)),
    kind(
      `of-${owner}`,
      `\`${resource}/?${owner}=\`, ${perList} found`,
      ({ firstOwner, owners, random }) => `${list}?${owner}=${firstOwner + numberBelow(owners, random)}`,
      body => hasPageOf(body, perList)
    ),
    kind(
      'detail',
      `a random record of ${resource}`,
      ({ first, size, random }) => `${list}${first + numberBelow(size, random)}/`,
      (body, { first, size }) => {
        const { id } = body as object as { id: number }
        assert.ok(id >= first && id < first + size)
      }
    )
  ]
}

/** All kinds, by resource. */
export const worksKinds: WorksKind[] = Object.keys(ownerOf).flatMap(resource => kindsOf(resource as WorksResource))
