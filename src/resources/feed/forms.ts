import { perResource } from '../../database/turns/batch-requests.ts'
import { digest } from '../../http/representation.ts'
import type { Resource } from '../declaration/resource.ts'

const width = 4
/** Width of the form in cursors of earlier releases: one of the usual resources together. */
const commonWidth = 6
const piece = new RegExp(`.{1,${width}}`, 'gs')

/** Digest of the form of a resource's records. */
const formOf = perResource(({ name, stored }: Resource) => digest(JSON.stringify([name, stored.json])).slice(0, width))

/** Digest of the form of all records. */
export function commonForm (resources: readonly Resource[]): string {
  return digest(JSON.stringify(resources.map(({ name, stored }) => [name, stored.json]))).slice(0, commonWidth)
}

/** The forms of a client's records, for its cursor. A resource that the client does not have yet has none. */
export function printForms (resources: readonly string[], has: (name: string) => boolean, all: readonly Resource[]): string {
  const forms = resources.map(name => has(name) ? formNamed(name, all) ?? '' : '')
  return forms.join(forms.includes('') ? '~' : '')
}

/** The forms in the text of {@link printForms}. Without a separator, all have their width. */
function readForms (text: string): string[] {
  return text === '' || text.includes('~') ? text.split('~') : text.match(piece) ?? []
}

/**
 * Compares the forms in a cursor with those of this release.
 * @param resources those of the cursor
 * @param current the resource that the snapshot has reached; undefined after the snapshot
 * @returns for each resource, whether the client's records have the present form; 'invalid'; undefined for a text of another release
 */
export function compareForms (
  text: string, resources: readonly string[], current: string | undefined, all: readonly Resource[]
): boolean[] | 'invalid' | undefined {
  if (text.length === commonWidth && !text.includes('~')) {
    const isSame = text === commonForm(all.filter(({ feed }) => feed === 'always'))
    const end = current === undefined ? resources.length : resources.indexOf(current)
    return resources.map((_, index) => isSame && index <= end)
  }
  const forms = readForms(text)
  if (forms.some(form => form.length !== 0 && form.length !== width)) return undefined
  return forms.length === resources.length ? resources.map((name, index) => forms[index] === formNamed(name, all)) : 'invalid'
}

function formNamed (name: string, all: readonly Resource[]): string | undefined {
  const resource = all.find(one => one.name === name)
  return resource && formOf(resource)
}
