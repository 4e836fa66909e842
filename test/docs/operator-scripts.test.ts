import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newFolder, root } from '../support/process.ts'

t.test('obra and obra-owner run a command in the folder of Obra, with the variables of the servers', (t) => {
  const { dir } = newFolder(t)
  const [bin, obra] = [join(dir, 'bin'), join(dir, 'obra')]
  mkdirSync(bin)
  mkdirSync(join(obra, 'node_modules/.bin'), { recursive: true })
  const save = (path: string, text: string) => writeFileSync(path, text, { mode: 0o755 })
  save(join(dir, 'env'), 'NODE_ENV=production\nDATABASE_URL=postgres://obra_server:p@127.0.0.1/obra\n')
  save(join(dir, 'owner.env'), 'DATABASE_URL=postgres://obra:p@127.0.0.1/obra\n')
  save(join(bin, 'runuser'), '#!/bin/sh\necho "runuser $1 $2 $3"; shift 3; exec "$@"\n')
  save(join(obra, 'node_modules/.bin/node'), '#!/bin/sh\nprintf "%s\\n" "$PWD" "$NODE_ENV" "$DATABASE_URL" "$@"\n')
  const run = (name: string) => {
    const script = readFileSync(join(root, 'docs/deploy', name), 'utf8')
    save(join(bin, name), script.replaceAll('/etc/obra/', `${dir}/`).replaceAll('/srv/obra\n', `${obra}\n`))
    const env = { PATH: `${bin}:/usr/bin:/bin` }
    return execFileSync(name, ['create-company', 'Obra Centro'], { encoding: 'utf8', stdio: 'pipe', env }).trim().split('\n')
  }

  const command = ['src/cli/obra.ts', 'create-company', 'Obra Centro']
  t.strictSame(run('obra'), ['runuser -u obra --', obra, 'production', 'postgres://obra_server:p@127.0.0.1/obra', ...command])
  t.strictSame(run('obra-owner'), [obra, 'production', 'postgres://obra:p@127.0.0.1/obra', ...command])
  rmSync(join(dir, 'owner.env'))
  t.throws(() => run('obra-owner'), { message: /owner\.env/ }, 'no command without the variables of the owner')
  t.end()
})
