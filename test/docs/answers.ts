import type { Answer } from './pages.ts'

/** What a program's output must look like to be the answers that a page shows, one after the other. */
export function expected (answers: Answer[]): { language: Answer['language'], pattern: RegExp } {
  const language = answers.every(({ language }) => language === 'json') ? 'json' : 'text'
  const text = normalized(answers.map(({ text }) => text).join('\n'), language)
  return { language, pattern: new RegExp(`^${anyAtDots(text)}$`) }
}

/** What the output of one line must have in it to be the answer that the comment at its end shows. */
export function expectedWithin (text: string): RegExp {
  return new RegExp(anyAtDots(normalized(text, 'text')))
}

/** Output or answer without what makes no difference: in JSON spaces outside of strings, in text how many of them there are. */
export function normalized (text: string, language: Answer['language']): string {
  if (language === 'text') return text.replace(/\s+/g, ' ').trim()
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string = '') => string)
}

function anyAtDots (text: string): string {
  return text.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*')
}
