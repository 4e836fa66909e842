import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { messages, type MessageKey } from '../../../src/http/messages.ts'
import { codesOfProblems, isProblemKey, problemCodes, type ProblemKey } from '../../../src/http/problem-codes.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { codeOf } from '../../support/invalid.ts'
import { errorList, sayIn } from '../../../src/http/errors.ts'

const keys = Object.keys(problemCodes) as ProblemKey[]

t.test('each message of a problem has one code, in every language', async (t) => {
  for (const key of keys) {
    for (const language of Object.keys(messages) as Array<keyof typeof messages>) t.equal(codeOf(messages[language][key]), problemCodes[key], `${language} ${key}`)
  }
})

t.test('the codes are those of the documentation and of the OpenAPI document', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/api.md'), 'utf8')
  const [, table = ''] = /<!-- codes -->\n([\s\S]*?)<!-- \/codes -->/.exec(page) ?? []
  const documented = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code))
  t.strictSame(documented.sort(), [...codesOfProblems])
  t.strictSame((await describeService() as any).components.schemas.ProblemCode.enum, [...codesOfProblems])
  for (const code of codesOfProblems) t.match(code, /^[a-z]+(_[a-z\d]+)*$/)
})

t.test('other messages are no problems', async (t) => {
  for (const key of ['notFound', 'notAuthenticated', 'invalidInput', 'toString'] as MessageKey[]) t.notOk(isProblemKey(key), key)
})

t.test('codes have the fields and the order of the messages, without repetitions, also for special names', async (t) => {
  const { errors, codes } = errorList([
    { field: 'monto', key: 'minValue', values: { min_value: 0 } }, { field: '7', key: 'unknownField' }, { field: 'monto', key: 'belowAuthorized' },
    { field: 'monto', key: 'minValue', values: { min_value: 0 } }, { field: '__proto__', key: 'unknownField' }, { field: 'constructor', key: 'unknownField' }
  ], sayIn('en'))
  t.strictSame(Object.entries(codes), [['7', ['unknown_field']], ['monto', ['min_value', 'below_authorized']], ['__proto__', ['unknown_field']], ['constructor', ['unknown_field']]])
  t.strictSame(Object.keys(errors), Object.keys(codes))
  t.equal(errors['monto']?.length, 2)
})

t.test('a list that is too long says that there are more', async (t) => {
  const problems = Array.from({ length: 20 }, (_, index) => ({ field: `f${index}`, key: 'required' as const }))
  const short = errorList(problems, sayIn('es'), { messages: 3, bytes: 10_000 })
  t.strictSame(short.codes, { f0: ['required'], f1: ['required'], f2: ['required'], non_field_errors: ['more_problems'] })
  t.strictSame(short.errors['non_field_errors'], [messages.es.moreProblems])
  t.strictSame(Object.keys(errorList(problems, sayIn('en'), { messages: 500, bytes: 120 }).errors), ['f0', 'f1', 'non_field_errors'])
})
