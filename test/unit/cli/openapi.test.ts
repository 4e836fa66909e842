import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { describeService } from '../../../src/server/describe-service.ts'
import { parse } from './parse.ts'

t.test('the document is printed, or written to a file, without a database', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'obra-openapi-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', DATA_DIR: join(dir, 'data') }
  const document = `${JSON.stringify(await describeService(), null, 2)}\n`

  const printed = await parse(['openapi'], nowhere)
  t.strictSame([printed.error, printed.out], [undefined, document])

  const output = join(dir, 'openapi.json')
  t.match(await parse(['openapi', '--output', output], nowhere), { error: undefined, out: `written to ${output}\n` })
  t.equal(readFileSync(output, 'utf8'), document)
  const { operations } = JSON.parse((await parse(['--json', 'openapi', '--output', output], nowhere)).out)
  t.ok(operations > 50)
  t.notOk(existsSync(nowhere.DATA_DIR))

  t.match(await parse(['openapi', '--output', join(dir, 'no', 'folder.json')], nowhere), { error: { message: /^ENOENT/ } })
})
