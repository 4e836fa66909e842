import { Type } from '@sinclair/typebox'

/** A pair of tokens. */
export const TokenPair = Type.Object({ access: Type.String(), refresh: Type.String() }, { title: 'TokenPair' })

/** A body that has a refresh token. */
export const RefreshBody = Type.Object({ refresh: Type.String({ minLength: 1 }) }, { additionalProperties: false, title: 'RefreshBody' })
