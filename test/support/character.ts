import fc from 'fast-check'

/** Any Unicode character. fast-check's `unit: 'binary'` generates the same, but keeps 1.1 million of them in memory. */
export const character = fc.integer({ min: 0, max: 0x10f7ff }).map(code => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))
