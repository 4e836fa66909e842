import t from 'tap'
import { expected, expectedWithin, normalized } from './answers.ts'
import { parsePage } from './pages.ts'
import { play } from './session.ts'

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`

function shows (language: 'json' | 'text', text: string, output: string): boolean {
  const { pattern } = expected([{ language, text }])
  return pattern.test(normalized(output, language))
}

t.test('an answer matches the printed output, with … for any text', async (t) => {
  t.ok(shows('json', '{ "id": 61, "folio": "A  B", … }', '{"id":61,"folio":"A  B","monto":"1.00"}\n'))
  t.notOk(shows('json', '{ "id": 61, "folio": "A B", … }', '{"id":61,"folio":"A  B","monto":"1.00"}'), 'spaces within strings matter')
  t.notOk(shows('json', '{ "id": 61 }', '{"id":61,"monto":"1.00"}'), 'omissions must be marked')
  t.notOk(shows('json', '{ "id": 6, … }', '{"id":61,"monto":"1.00"}'))
  t.ok(shows('text', 'HTTP/1.1 200 OK\netag: "…"\n…\n', 'HTTP/1.1 200 OK\r\netag: "1.2"\r\nvary: accept\r\n\r\n'))
  t.notOk(shows('text', '200', '2000'))
  t.match('"a":"1","b":"2"', expectedWithin('"b":"2"'))
  t.notMatch('"a":"1"', expectedWithin('"b":"…"'))
})

t.test('an unknown kind of block is refused', async (t) => {
  t.throws(() => parsePage('x.md', fence('python', 'print(1)')), { message: 'x.md:1 has an unknown language: python' })
  t.throws(() => parsePage('x.md', `\n${fence('json', '{}')}`), { message: 'x.md:2 shows an answer without a command before it' })
  t.throws(() => parsePage('x.md', fence('sh skip', 'true')), { message: 'x.md:1 has an unknown mark: skip' })
})

t.test('a page runs in one shell, which ends at the first failed command', async (t) => {
  const page = parsePage('x.md', [
    fence('sh', 'A=1\necho one\necho two # → two'),
    fence('js add.mjs', 'console.log(Number(process.argv[2]) + 1)'),
    fence('sh', 'node add.mjs $A\nfalse\necho never'),
    fence('sh', 'echo never')
  ].join('\n'))
  const { code, last, printed } = await play(t, page)
  t.equal(code, 1)
  t.equal(last, 'x.md:11')
  t.match(printed.map(({ comment, output }) => [comment, output.trim()]), [[undefined, 'one\ntwo'], ['two', 'one\ntwo'], [undefined, '2']])
})

t.test('a page cannot install packages into the project folder', async (t) => {
  await t.rejects(play(t, parsePage('x.md', fence('sh', 'cd elsewhere && npm install x'))), { message: /^x\.md:1 would change the packages/ })
})
