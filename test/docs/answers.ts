import type { Answer } from './pages.ts'

/** A pattern for the output of a program, from the answers that a page shows one after the other. */
export function expected (answers: Answer[]): { language: Answer['language'], pattern: RegExp } {
  const language = answers.every(({ language }) => language === 'json') ? 'json' : 'text'
  const text = normalized(answers.map(({ text }) => text).join('\n'), language)
  return { language, pattern: new RegExp(`^${anyAtDots(text)}$`) }
}

/** A pattern for the output of one command, from the answer in the comment at its end. */
export function expectedWithin (text: string): RegExp {
  return new RegExp(anyAtDots(normalized(text, 'text')))
}

/** Removes irrelevant whitespace: in JSON, spaces outside of strings; in text, repeated spaces. */
export function normalized (text: string, language: Answer['language']): string {
  if (language === 'text') return text.replace(/\s+/g, ' ').trim()
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string = '') => string)
}

function anyAtDots (text: string): string {
  return text.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')
}
