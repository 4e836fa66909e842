import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/process.ts'

/** A block that runs when its page does, with what the page says that it prints. */
export interface Block {
  /** `file:line` of its fence. */
  at: string
  language: 'sh' | 'js' | 'ts'
  /** The file that a script is saved as, and run by a later block; without a name it runs where it stands. */
  file?: string
  /** It can do its work on PostgreSQL alone. */
  postgresql: boolean
  text: string
  answers: Answer[]
}

/** What a page shows as printed: JSON, in which spaces do not count, or text. In both `…` stands for whatever is there. */
export interface Answer {
  language: 'json' | 'text'
  text: string
}

/** A page of the documentation. */
export interface Page {
  /** Its path from the project's folder. */
  name: string
  text: string
  blocks: Block[]
  /** Whether its blocks begin with a database that has no table yet, in place of the demo data. */
  emptyDatabase: boolean
}

/** Blocks in these languages, or in none, are looked at and not run: files of other programs, drawings. */
const shown = new Set(['', 'diff', 'ini', 'jsonc', 'mermaid', 'nginx', 'sql', 'yaml'])

/** The pages of the documentation, in the order of their names. */
export function readPages (): Page[] {
  const names = globSync('{*.md,docs/**/*.md}', { cwd: root }).filter(name => name !== 'CHANGELOG.md').sort()
  return names.map(name => parsePage(name, readFileSync(join(root, name), 'utf8')))
}

/** @throws {Error} for a block of which nothing says what becomes of it, and for an answer to nothing */
export function parsePage (name: string, text: string): Page {
  const blocks: Block[] = []
  for (const { at, language, words, body } of fences(name, text)) {
    if (shown.has(language)) continue
    if (language === 'json' || language === 'text') {
      const asked = blocks.at(-1)
      if (asked === undefined || asked.file !== undefined) throw new Error(`${at} shows an answer, and there is no block before it that asks`)
      asked.answers.push({ language, text: body })
    } else if (language === 'sh' || language === 'js' || language === 'ts') {
      const [file, ...unknown] = words.filter(word => word !== 'postgresql')
      if (unknown.length > 0 || (file !== undefined && language === 'sh')) throw new Error(`${at} has a mark that means nothing: ${words.join(' ')}`)
      blocks.push({ at, language, ...file === undefined ? {} : { file }, postgresql: words.includes('postgresql'), text: body, answers: [] })
    } else throw new Error(`${at} is in a language that is neither run nor known to be shown only: ${language}`)
  }
  return { name, text, blocks, emptyDatabase: text.includes('<!-- an empty database -->') }
}

function fences (name: string, text: string): Array<{ at: string, language: string, words: string[], body: string }> {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info = '', 2: body = '' }) => {
    const [language = '', ...words] = info.trim().split(/\s+/)
    return { at: `${name}:${text.slice(0, index).split('\n').length}`, language, words, body }
  })
}
