import type { CompanyDeclaration } from './declaration.ts'
import type { Fields } from './field.ts'
import type { Link } from './link.ts'
import type { Resource } from './resource.ts'
import { linkSums } from './sums.ts'

type Declaration = Pick<CompanyDeclaration<Fields>, 'name' | 'many' | 'spanish' | 'fields' | 'table'>

/** The references of a declaration to records of companies, also references that no body can change. */
export function linksOf ({ name, many, spanish, fields }: Omit<Declaration, 'table'>): Link[] {
  return Object.entries(fields).flatMap(([field, { spec: { reference, type, isRequired = false, copiedFrom } }]): Link[] => {
    if (reference === undefined || type === 'int') return []
    const { resource, onDelete = 'protect', called = { en: many, es: spanish.many } } = reference
    const isSelf = resource === 'self'
    return [{
      from: name,
      field,
      column: `${field}_id`,
      to: isSelf ? name : resource.name,
      onDelete,
      called,
      isPart: isSelf || isRequired,
      isCopied: copiedFrom !== undefined
    }]
  })
}

/**
 * Indexes by the references, with which a delete finds the referring records. A reference that begins another index needs none.
 * @param first references that begin other indexes of the declaration
 */
export function indexesOfLinks ({ name, fields, table, ...declaration }: Declaration, first: string[] = []): object[] {
  const { uniques = [], indexes = [] } = table ?? {}
  const begun = [...first, ...[...uniques, ...indexes].filter(({ where }) => where === undefined).map(({ properties }) => properties?.[1])]
  return linksOf({ name, fields, ...declaration }).filter(({ field }) => !begun.includes(field)).map(({ field, column }) => ({
    name: `${name}_${field}_index`,
    properties: ['company', field],
    ...fields[field]?.spec.isNullable === true ? { where: `${column} is not null` } : {}
  }))
}

/** The ways by which a delete of a resource's records deletes others. */
function cascadesFrom (name: string, links: readonly Link[], path: Link[] = []): Link[][] {
  return links.filter(link => link.to === name && link.onDelete === 'cascade' && !path.includes(link))
    .flatMap(link => [[...path, link], ...cascadesFrom(link.from, links, [...path, link])])
}

/** What it means for a delete that it would delete records that are kept. */
function meaningsOfKept (resources: readonly Resource[]): Resource['meanings'] {
  return Object.fromEntries(resources.flatMap(({ kept }) => kept?.name === undefined ? [] : [[kept.name, { conflict: kept.key }]]))
}

/**
 * Sets who protects whom: a resource learns which others refer to it.
 * @throws {Error} for a resource with `prepare`
 * @returns the resources, each after the resources that it refers to
 */
export function linkResources (resources: readonly Resource[]): Resource[] {
  // It needs the request of one record, such as a POST.
  const prepared = resources.find(({ prepare }) => prepare !== undefined)
  if (prepared !== undefined) {
    throw new Error(`${prepared.name}: bulk/ and mutations do not run prepare(). Give the resource its own routes`)
  }
  const ordered = new Set<Resource>()
  const add = (resource: Resource, path: readonly Resource[] = []) => {
    if (path.includes(resource)) return
    for (const other of resources) if (resource.links.some(({ to }) => to === other.name)) add(other, [...path, resource])
    ordered.add(resource)
  }
  for (const resource of resources) add(resource)
  // A copied reference is that of another record, which protects or deletes this one.
  const links = [...ordered].flatMap(({ links }) => links).filter(({ isCopied }) => !isCopied)
  for (const resource of ordered) {
    const cascades = cascadesFrom(resource.name, links)
    const deleted = new Set(cascades.map(path => path.at(-1)?.from))
    const own = links.filter(({ to, onDelete }) => to === resource.name && onDelete === 'protect').map(link => ({ ...link, through: [] }))
    // What is deleted too protects nothing.
    const others = cascades.flatMap(through => links
      .filter(({ from, to, onDelete }) => to === through.at(-1)?.from && onDelete === 'protect' && !deleted.has(from))
      .map(link => ({ ...link, through, isPart: true })))
    resource.dependents = [...own, ...others]
    resource.cascades = cascades.length > 0
    resource.meanings = { ...meaningsOfKept([...ordered].filter(({ name }) => deleted.has(name))), ...resource.meanings }
  }
  linkSums([...ordered])
  return [...ordered]
}
