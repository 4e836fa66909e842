import { ValidationError } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'

/**
 * Waits for a write. An amount that would make the sum of its parent too large is a problem of its field.
 * @throws {ValidationError} for such an amount
 */
export async function withSums<T> ({ name }: Resource, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const { constraint } = Object(error) as { constraint?: string }
    const field = new RegExp(`^${name}_(\\w+)_sum$`).exec(constraint ?? '')?.[1]
    if (field === undefined) throw error
    throw new ValidationError([{ field, key: 'derivedTooLarge' }])
  }
}
