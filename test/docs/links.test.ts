import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { obraProgram } from '../../src/cli/program.ts'
import { root } from '../support/process.ts'
import { elsewhere, elsewhereScripts } from './elsewhere.ts'
import { readPages } from './pages.ts'

const pages = new Map(globSync('{*,docs/**/*,bench/*,bench/peers/*,src/client/*}.md', { cwd: root }).map(name => [name, readFileSync(join(root, name), 'utf8')]))

/** The text of a page without its code blocks. */
function prose (text: string): string {
  return text.replace(/^```.*\n[\s\S]*?^```$/gm, '')
}

/** Paths and anchors, relative to the project folder, of the links of a page within the project. */
function linksOf (name: string): Array<{ path: string, anchor: string | undefined }> {
  const links = prose(pages.get(name) as string).matchAll(/\]\(([^)\s]+)\)/g)
  return [...links].map(([, link]) => link).filter(link => !/^[a-z]+:/.test(link)).map((link) => {
    const [path, anchor] = link.split('#') as [string, string | undefined]
    return { path: path === '' ? name : relative('.', join(dirname(name), path)), anchor }
  })
}

/** The anchors that GitHub generates for the headings of a page. */
function anchorsOf (text: string): string[] {
  return [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'))
}

t.test('every link has a target', async (t) => {
  for (const name of pages.keys()) {
    for (const { path, anchor } of linksOf(name)) {
      if (!existsSync(join(root, path))) t.fail(`${name} links to ${path}, which does not exist`)
      else if (anchor !== undefined && !anchorsOf(pages.get(path) ?? '').includes(anchor)) t.fail(`${name} links to ${path}#${anchor}, which has no such heading`)
    }
  }
  t.pass(`${pages.size} pages`)
})

t.test('every page is in the index of its folder', async (t) => {
  for (const index of ['docs/README.md', 'docs/decisions/README.md']) {
    const linked = new Set(linksOf(index).map(({ path }) => path))
    const depth = dirname(index) === 'docs' ? '{,guides/,reference/,explanation/}' : ''
    const missing = globSync(`${dirname(index)}/${depth}*.md`, { cwd: root }).filter(name => name !== index && !linked.has(name))
    t.strictSame(missing, [], `${index} lists all pages`)
  }
  t.ok(linksOf('README.md').some(({ path }) => path === 'docs/README.md'))
})

t.test('the code map names every folder of src and every top-level folder', async (t) => {
  const map = /^```\n(src[\s\S]*?)^```$/m.exec(pages.get('docs/explanation/architecture.md') as string)?.[1] as string
  const folders = (of: string) => readdirSync(join(root, of)).filter(name => !/^\.|^(node_modules|data|docs)$/.test(name) && statSync(join(root, of, name)).isDirectory())
  for (const folder of [...folders('.'), ...folders('src')]) t.match(map, new RegExp(`\\b${folder}/`))
})

t.test('every command named in the text exists', async (t) => {
  const commands = new Map(obraProgram().commands.map(command => [command.name(), command]))
  for (const { name, text } of readPages()) {
    for (const [, code] of prose(text).matchAll(/`([^`]+)`/g)) {
      const script = /\bnpm run (?:--silent )?([\w:-]+)/.exec(code)?.[1]
      if (script !== undefined) t.ok(script in manifest.scripts, `${name}: npm run ${script}`)
      const [, command, rest = ''] = /\bobra ([a-z][\w-]*)(.*)/s.exec(code) ?? []
      if (command === undefined) continue
      const known = commands.get(command)
      if (known === undefined) t.fail(`${name}: there is no obra ${command}`)
      for (const [option] of rest.matchAll(/--[\w-]+/g)) t.ok(option === '--json' || option === '--help' || known?.options.some(({ long }) => long === option), `${name}: obra ${command} ${option}`)
    }
  }
})

t.test('commands that run elsewhere are on a page, and the file that runs them names them', async (t) => {
  const lines = new Set(readPages().flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.split('\n').map(line => line.replace(/\s+# .*$/, '').trim()))))
  for (const [line, file] of Object.entries(elsewhere)) {
    t.ok(lines.has(line), `a page has: ${line}`)
    t.match(readFileSync(join(root, file), 'utf8'), line, `${file} names: ${line}`)
  }
  for (const [page, file] of Object.entries(elsewhereScripts)) t.match(readFileSync(join(root, file), 'utf8'), page, `${file} names ${page}`)
})
