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

t.test('a list is split at commas', async (t) => {
  const list = fieldOf({ type: ['string', 'array'], list: true, items: { type: 'string', enum: ['id', 'folio'] }, minItems: 1 })
  t.strictSame(list('"id,folio"').value, ['id', 'folio'])
  t.strictSame(list('" folio , "').value, ['folio'])
  t.strictSame(keys(list('"id,monto"')), ['invalidChoiceOf'])
  t.strictSame(keys(list('","')), ['minItems'])
})
