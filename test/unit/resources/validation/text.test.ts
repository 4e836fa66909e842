import fc from 'fast-check'
import t from 'tap'
import { fieldOf } from './ajv.ts'
import { character } from '../../../support/character.ts'

const folio = fieldOf({ type: 'string', text: true, minLength: 1, maxLength: 64 })
const anyText = fieldOf({ type: 'string', text: true })
const keys = ({ problems }: ReturnType<typeof folio>) => problems.map(({ key }) => key)

t.test('text is trimmed and normalized to NFC, and stays the same when it is read again', async (t) => {
  fc.assert(fc.property(fc.string({ unit: character, maxLength: 40 }).filter(text => !text.includes('\0')), (text) => {
    const { value } = anyText(JSON.stringify(text)) as { value: string }
    if (value !== text.normalize('NFC').trim()) throw new Error(JSON.stringify({ text, value }))
    return anyText(JSON.stringify(value)).value === value
  }), { numRuns: 2000 })
  t.equal(anyText('"  Peñón \\t\\n"').value, 'Peñón')
  t.equal(anyText('"Pen\u0303o\u0301n"').value, 'Peñón', 'a letter and a combining mark become one character')
  t.equal(anyText('"a  b"').value, 'a  b', 'inner spaces stay')
})

t.test('NUL is refused at any position', async (t) => {
  fc.assert(fc.property(fc.string(), fc.string(), (before, after) => {
    const outcome = keys(anyText(JSON.stringify(`${before}\0${after}`)))
    return outcome.length === 1 && outcome[0] === 'nullCharacter'
  }))
  t.strictSame(keys(folio('"\\u0000"')), ['nullCharacter'])
})

t.test('a lone surrogate is refused', async (t) => {
  for (const json of ['"\\ud83d"', '"a\\udc00b"']) t.strictSame(keys(folio(json)), ['notString'])
  t.equal(folio('"\\ud83c\\udfd7"').value, '🏗')
})

t.test('lengths count the characters of the normalized text', async (t) => {
  t.equal(folio(JSON.stringify(`  ${'x'.repeat(64)}  `)).value, 'x'.repeat(64))
  t.equal(folio(JSON.stringify('🏗'.repeat(64))).value, '🏗'.repeat(64))
  t.equal(folio(JSON.stringify('n\u0303'.repeat(64))).value, 'ñ'.repeat(64))
  t.strictSame(folio(JSON.stringify('x'.repeat(65))).problems, [{ field: 'field', key: 'maxLength', values: { max_length: 64 } }])
  for (const json of ['""', '"   "', '"\\n\\t"', '"\\u00a0\\u2003"']) t.strictSame(keys(folio(json)), ['blank'], json)
})

t.test('a number is accepted as its text, other types are not', async (t) => {
  for (const json of ['5', '1.50', '-0', '1e2', '12345678901234567890', '0.10000000000000000001']) t.strictSame(folio(json), { value: json, problems: [] }, json)
  t.strictSame(keys(folio('9'.repeat(65))), ['maxLength'])
  for (const json of ['true', '[]', '{}', '["a"]']) t.strictSame(keys(folio(json)), ['notString'], json)
  t.strictSame(keys(folio('null')), ['null'])
})

t.test('a list is split at commas', async (t) => {
  const list = fieldOf({ type: ['string', 'array'], list: true, items: { type: 'string', enum: ['id', 'folio'] }, minItems: 1 })
  t.strictSame(list('"id,folio"').value, ['id', 'folio'])
  t.strictSame(list('" folio , "').value, ['folio'])
  t.strictSame(keys(list('"id,monto"')), ['invalidChoiceOf'])
  t.strictSame(keys(list('","')), ['minItems'])
})
