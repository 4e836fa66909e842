import t from 'tap'
import { linesOf } from '../../../../src/cli/backup/format.ts'

t.test('only line feeds separate lines, wherever the chunks end', async (t) => {
  const bytes = Buffer.from('{"a":"ñ\u2028\r"}\n{"b":"🏗"}\n')
  for (const size of [1, 3, bytes.length]) {
    const lines: string[] = []
    for await (const line of linesOf((async function * () { for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size) })())) lines.push(line)
    t.strictSame(lines, ['{"a":"ñ\u2028\r"}', '{"b":"🏗"}'])
  }
})
