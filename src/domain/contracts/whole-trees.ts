import { httpError } from '../../http/errors.ts'
import { revisionOf } from '../../http/representation.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { partsOf, type ListPart } from '../../resources/reading/whole-list.ts'
import { ancestorsQuery, listed, treeQuery } from './tree.ts'

/** Reads the ancestors of a contract as a list, root first. @throws {HttpError} 404 */
export async function * readAncestors (read: Reader, id: number): AsyncGenerator<ListPart> {
  const rows = await read(ancestorsQuery, [id])
  const contract = rows.pop()
  if (contract === undefined) throw httpError(404)
  yield { ...revisionOf(contract), rows }
}

/**
 * Reads a contract and its descendants as a list.
 * @param depth levels below the contract
 * @throws {HttpError} 404; {@link ValidationError} for too many
 */
export async function * readTree (read: Reader, id: number, depth?: number): AsyncGenerator<ListPart> {
  const rows = await read(treeQuery, [id])
  const [contract] = rows
  if (contract === undefined) throw httpError(404)
  yield * partsOf(listed(rows, depth), revisionOf(contract))
}
