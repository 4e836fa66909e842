import { Type } from '@sinclair/typebox'
import { Refusal } from '../http/refusal.ts'

/** An example of a token. */
export const exampleToken = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ0b2tlbl90eXBlIjoiYWNjZXNzIn0.c2lnbmF0dXJl'

const Token = (description: string) => Type.String({ description, examples: [exampleToken] })

/** A pair of tokens. */
export const TokenPair = Type.Object({
  access: Token('Access token for the `Authorization` header, valid for one hour.'),
  refresh: Token('Refresh token for the next pair. Works once, within seven days.')
}, { title: 'TokenPair' })

/** A request body with a refresh token. */
export const RefreshBody = Type.Object({
  refresh: Type.String({ minLength: 1, description: 'Refresh token.', examples: [exampleToken] })
}, { additionalProperties: false, title: 'RefreshBody' })

/** 401: the same for every reason. */
export const WrongCredentials = Refusal('no_active_account', 'noActiveAccount')

/** 429: too many attempts to guess a password. */
export const TooManyLogIns = Refusal('throttled', 'throttledWait', { values: { wait: 30 } })
