import { declaredBy } from '../../database/schema/declared.ts'
import { entities } from './index.ts'

/** The functions and triggers of this release. */
export const declared = declaredBy(entities.map(({ meta }) => meta))
