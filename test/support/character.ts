import fc from 'fast-check'

const anyCode = fc.integer({ min: 0, max: 0x10f7ff }).map(code => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))
const common = fc.constantFrom(...'aZ0 _-.,áéñÑüßŁжΩ中', 'e\u0301', 'n\u0303', '\u1100\u1161', '👷‍♀️')

/** Any Unicode character except surrogates, and often a letter or a sequence that NFC composes. fast-check's own units keep 1.1 million characters in memory. */
export const character = fc.oneof({ weight: 3, arbitrary: anyCode }, { weight: 1, arbitrary: common })
