import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../../support/process.ts'
import { parse } from './parse.ts'

type Typed = Array<[words: string[], offered: string[]]>

/** Words typed after `obra`, and the completions offered for the last one. */
function typedIn (dir: string): Typed {
  return [
    [['cre'], ['create-customer', 'create-company', 'create-superuser', 'create-user']],
    [['--j'], ['--json']],
    [['create-user', 'a@b.mx', '--n'], ['--nivel', '--nombre']],
    [['create-user', '--nivel', ''], ['1', '2', '3', '4', '5', '6']],
    [['--json', 'revoke-sessions', '--a'], ['--all']],
    [['import-users', join(dir, 'us')], [join(dir, 'users file.jsonl'), join(dir, 'users.json')]],
    [['seed', '--tokens', join(dir, 'users.')], [join(dir, 'users.json')]],
    [['rotate-secret', '--env-file', join(dir, 'users.')], [join(dir, 'users.json')]],
    [['completion', ''], ['bash', 'fish', 'zsh']],
    [['create-customer', ''], []],
    [['migrate', '$(exit 1)'], []]
  ]
}

const without = (shell: string) => spawnSync(shell, ['--version']).error === undefined ? false : `${shell} is not installed`

/**
 * Checks all completions in one shell, which prints a line per case, with `|` between the completions.
 * @returns the line after the last case
 */
async function checkShell (t: Test, shell: string, options: string[], dir: string, ask: (words: string[]) => string, narrowed = (offered: string[], _word: string) => offered) {
  const { out: script, error } = await parse(['completion', shell])
  t.equal(error, undefined)
  t.strictSame(JSON.parse((await parse(['completion', shell, '--json'])).out), { script })
  const typed = typedIn(dir)
  const answered = await run(t, shell, [...options, '-c', `${script}\n${typed.map(([words]) => ask(words)).join('\n')}`], { HOME: dir }, { dir })
  t.match(answered, { code: 0, stderr: '' })
  const lines = answered.stdout.split('\n')
  for (const [index, [words, offered]] of typed.entries()) {
    const shown = narrowed(lines[index]?.split('|').filter(Boolean) ?? [], words.at(-1) as string)
    t.strictSame(shown.sort(), [...offered].sort(), words.join(' '))
  }
  return lines[typed.length]
}

const files = { 'users file.jsonl': '', 'users.json': '' }

/** Sets bash's completion variables, and prints the completions. */
const askBash = (words: string[]) => `COMP_WORDS=(obra ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _obra; (IFS='|'; printf '%s\\n' "\${COMPREPLY[*]}")`

t.test('bash completes commands, options, choices and files', async (t) => {
  const registered = 'complete -p obra'
  let cases = 0
  const last = await checkShell(t, 'bash', ['--norc', '-u'], t.testdir(files), (words) => {
    cases++
    return cases === typedIn('').length ? `${askBash(words)}; ${registered}` : askBash(words)
  })
  t.equal(last, 'complete -F _obra obra')
})

t.test('zsh completes commands, options, choices and files', { skip: without('zsh') }, async (t) => {
  const dir = t.testdir(files)
  // Calls the function as zsh's bashcompinit does. The shell then keeps completions that begin with the word, and the typed folder.
  await checkShell(t, 'zsh', ['-f'], dir, words => `() { setopt localoptions ksharrays; ${askBash(words)}; }`,
    (offered, word) => offered.filter(one => one.startsWith(word.startsWith(dir) ? basename(word) : word)).map(one => word.startsWith(dir) ? join(dir, one) : one))
})

t.test('fish completes commands, options, choices and files', { skip: without('fish') }, async (t) => {
  await checkShell(t, 'fish', ['--no-config'], t.testdir(files), (words) => {
    const line = ['obra', ...words].map(word => word.replaceAll(/[$()]/g, '\\$&')).join(' ')
    return `echo (string join '|' -- (complete -C '${line}' | string replace -r '\\t.*' '' | string unescape))`
  })
})
