import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/process.ts'

/** A block that runs with its page, and the output that the page shows. */
export interface Block {
  /** `file:line` of its opening fence. */
  at: string
  language: 'sh' | 'js' | 'ts'
  /** The file in which a script is saved, to be run by a later block; without it the script runs in place. */
  file?: string
  /** Whether it needs PostgreSQL. */
  postgresql: boolean
  text: string
  answers: Answer[]
}

/** The output that a page shows: JSON, in which spaces do not matter, or text. In both, `…` stands for any text. */
export interface Answer {
  language: 'json' | 'text'
  text: string
}

/** A page of the documentation. */
export interface Page {
  /** Its path, relative to the project folder. */
  name: string
  text: string
  blocks: Block[]
  /** Whether its blocks start with an empty database instead of the demo data. */
  emptyDatabase: boolean
}

/** Languages of blocks that are not run: files of other programs and diagrams. */
const shown = new Set(['', 'diff', 'ini', 'jsonc', 'kotlin', 'mermaid', 'nginx', 'sql', 'swift', 'yaml'])

/** All pages of the documentation, by name. */
export function readPages (): Page[] {
  const names = globSync('{*.md,docs/**/*.md}', { cwd: root }).filter(name => name !== 'CHANGELOG.md').sort()
  return names.map(name => parsePage(name, readFileSync(join(root, name), 'utf8')))
}

/** Parses a page. @throws {Error} for an unknown kind of block, and for an answer without a command */
export function parsePage (name: string, text: string): Page {
  const blocks: Block[] = []
  for (const { at, language, words, body } of fences(name, text)) {
    if (shown.has(language)) continue
    if (language === 'json' || language === 'text') {
      const previous = blocks.at(-1)
      if (previous === undefined || previous.file !== undefined) throw new Error(`${at} shows an answer without a command before it`)
      previous.answers.push({ language, text: body })
    } else if (language === 'sh' || language === 'js' || language === 'ts') {
      const [file, ...unknown] = words.filter(word => word !== 'postgresql')
      if (unknown.length > 0 || (file !== undefined && language === 'sh')) throw new Error(`${at} has an unknown mark: ${words.join(' ')}`)
      blocks.push({ at, language, ...file === undefined ? {} : { file }, postgresql: words.includes('postgresql'), text: body, answers: [] })
    } else throw new Error(`${at} has an unknown language: ${language}`)
  }
  return { name, text, blocks, emptyDatabase: text.includes('<!-- an empty database -->') }
}

function fences (name: string, text: string): Array<{ at: string, language: string, words: string[], body: string }> {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: info = '', 2: body = '' }) => {
    const [language = '', ...words] = info.trim().split(/\s+/)
    return { at: `${name}:${text.slice(0, index).split('\n').length}`, language, words, body }
  })
}
