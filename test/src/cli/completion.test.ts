import { join } from 'node:path'
import t from 'tap'
import { run } from '../../process.ts'
import { parse } from './parse.ts'

t.test('bash completes commands, options, choices and files', async (t) => {
  const dir = t.testdir({ 'users file.jsonl': '', 'users.json': '' })
  const { out: script, error } = await parse(['completion', 'bash'])
  t.equal(error, undefined)
  t.strictSame(JSON.parse((await parse(['completion', 'bash', '--json'])).out), { script })
  const typed: Array<[words: string[], offered: string[]]> = [
    [['cre'], ['create-customer', 'create-company', 'create-superuser', 'create-user']],
    [['--j'], ['--json']],
    [['create-user', 'a@b.mx', '--n'], ['--nivel', '--nombre']],
    [['create-user', '--nivel', ''], ['1', '2', '3', '4', '5', '6']],
    [['--json', 'revoke-sessions', '--a'], ['--all']],
    [['import-users', join(dir, 'us')], [join(dir, 'users file.jsonl'), join(dir, 'users.json')]],
    [['seed', '--tokens', join(dir, 'users.')], [join(dir, 'users.json')]],
    [['rotate-secret', '--env-file', join(dir, 'users.')], [join(dir, 'users.json')]],
    [['completion', ''], ['bash']],
    [['create-customer', ''], []],
    [['migrate', '$(exit 1)'], []]
  ]
  // One bash for all: each line sets what bash would, and prints what it would show.
  const tests = typed.map(([words]) => `COMP_WORDS=(obra ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _obra; (IFS='|'; printf '%s\\n' "\${COMPREPLY[*]}")`)
  const bash = await run(t, 'bash', ['--norc', '-u', '-s'], {}, { input: `${script}\n${tests.join('\n')}\ncomplete -p obra\n` })
  t.match(bash, { code: 0, stderr: '' })
  const lines = bash.stdout.trimEnd().split('\n')
  t.equal(lines.pop(), 'complete -F _obra obra')
  for (const [index, [words, offered]] of typed.entries()) t.strictSame(lines[index]?.split('|').filter(Boolean).sort(), offered.sort(), words.join(' '))
})
