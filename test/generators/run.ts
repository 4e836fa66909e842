import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeService } from '../../src/server/describe-service.ts'
import { root } from '../support/process.ts'
import type { Tool } from './tools.ts'

const here = import.meta.dirname
const { values } = parseArgs({ options: { only: { type: 'string' }, keep: { type: 'boolean' } } })

if (!existsSync(join(here, 'node_modules/.package-lock.json'))) {
  process.stdout.write('Installing the generators into test/generators/node_modules, once: 480 MB\n')
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: here, stdio: 'inherit' })
}
const { tools } = await import('./tools.ts')
const document = await describeService('http://127.0.0.1:3000')
const folder = await mkdtemp(join(tmpdir(), 'obra-generators-'))
await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
await writeFile(join(folder, 'package.json'), '{"type":"module"}')
await symlink(join(here, 'node_modules'), join(folder, 'node_modules'))

const rows = ['| Tool | Version | Check | Result |', '|---|---|---|---|']
for (const tool of tools.filter(({ name }) => name.includes(values.only ?? ''))) {
  const result = await tool.run({ folder, document, root }).catch((error: Error) => {
    process.exitCode = 1
    process.stderr.write(`${tool.name}: ${error.message}\n`)
    return 'fails'
  })
  rows.push(`| ${tool.name} | ${versionOf(tool)} | ${tool.checks} | ${result} |`)
  process.stderr.write(`${tool.name}: ${result}\n`)
}
process.stdout.write(`${rows.join('\n')}\n`)
if (values.keep === true) process.stdout.write(`${folder}\n`)
else await rm(folder, { recursive: true })

function versionOf ({ package: name }: Tool): string {
  const places = [here, root].map(place => join(place, 'node_modules', name, 'package.json'))
  return JSON.parse(readFileSync(places.find(existsSync) as string, 'utf8')).version
}
