import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { obra, root, run, type Place } from '../../support/process.ts'

/** A file is no DATA_DIR: a command that went on to the database would say so. */
const nowhere: Place = { dir: root, dataDir: '', env: { DATA_DIR: join(root, 'package.json') } }

t.test("the package's command starts by itself and ends with 0", async (t) => {
  const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  t.match(await run(t, join(root, bin.obra), ['--version'], path), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('wrong usage ends with 2', async (t) => {
  t.match(await obra(t, nowhere, ['migrate', '--force']), { code: 2, stdout: '', stderr: "error: unknown option '--force'\n(use --help for a list of commands and options)\n" })
})

t.test('what is refused or fails ends with 1 and one line', async (t) => {
  const refused: Array<[string[], string, Record<string, string>?]> = [
    [['seed'], 'NODE_ENV is production: pass --yes to seed it', { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }],
    [['migrate'], 'configuration: PORT must be integer; LOG_LEVEL must be one of', { PORT: 'x', LOG_LEVEL: 'x' }],
    [['migrate'], 'package.json']
  ]
  await Promise.all(refused.map(async ([args, reason, env]) => {
    const { code, stdout, stderr } = await obra(t, nowhere, args, env)
    t.equal(code, 1, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^obra: [^\n]+\n$/)
    t.ok(stderr.includes(reason), stderr)
  }))
})

t.test('a reader who goes away is no failure to tell of', async (t) => {
  const command = `set -o pipefail; '${process.execPath}' '${join(root, 'src/cli/obra.ts')}' openapi | head -c 1`
  t.match(await run(t, 'bash', ['-c', command]), { code: 141, stdout: '{', stderr: '' })
})
