import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { demoPlace, environment, obra, root, withoutTap } from '../../support/process.ts'
import { parse, variables } from './parse.ts'

t.test('a terminal asks for the password twice and does not show it', async (t) => {
  const place = await demoPlace(t)
  const answers = [['Password:', 'corta\r'], ['at least 8 characters', '\u0015una clave secreta\r'], ['Repeat password:', 'una clave secreta\r']] as const

  // `script` runs its command in a pseudo-terminal and copies the output.
  const command = `'${process.execPath}' '${join(root, 'src/cli/obra.ts')}' create-superuser Raiz@demo.example`
  const child = spawn(...withoutTap('script', ['-qec', command, '/dev/null']), { cwd: place.dir, env: environment({ ...place.env, TERM: 'xterm' }), stdio: 'pipe' })
  t.teardown(() => child.kill('SIGKILL'))
  let shown = ''
  let from = 0
  const waiting = answers.slice()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [question, answer] = waiting[0] ?? []
    if (question === undefined || !shown.includes(question, from)) return
    from = shown.length
    waiting.shift()
    child.stdin.write(answer)
  })
  const [code] = await once(child, 'close')

  t.equal(code, 0, shown)
  t.strictSame(waiting, [])
  t.match(shown, /user \d+: raiz@demo\.example\r\n$/)
  for (const secret of ['corta', 'clave', 'secreta', '*']) t.notOk(shown.includes(secret), secret)
  t.match(await parse(['set-password', 'raiz@demo.example', '--json'], variables(place)), { error: undefined }, 'the user exists')
})

t.test('Ctrl-C at the password prompt ends the command with 130', async (t) => {
  const child = spawn(...withoutTap('script', ['-qec', `'${process.execPath}' '${join(root, 'src/cli/obra.ts')}' create-superuser raiz@demo.example`, '/dev/null']), { cwd: root, env: environment({ TERM: 'xterm' }), stdio: 'pipe' })
  t.teardown(() => child.kill('SIGKILL'))
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (shown === '') child.stdin.write('\u0003')
    shown += text
  })
  const [code] = await once(child, 'close')
  t.equal(code, 130, shown)
  t.notMatch(shown, /obra:/)
})

t.test('without a terminal, the command fails instead of asking for a password', async (t) => {
  const place = { dir: root, dataDir: '', env: {} }
  t.match(await obra(t, place, ['create-superuser', 'raiz@demo.example']), { code: 1, stdout: '', stderr: 'obra: no terminal to ask for the password: use --password-stdin\n' })
})
