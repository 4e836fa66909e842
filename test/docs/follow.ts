import type { Test } from 'tap'
import { server } from '../support/template.ts'
import { expected, expectedWithin, normalized } from './answers.ts'
import { readPages, type Page } from './pages.ts'
import { sequence } from './sequence.ts'
import { play, type Printed, type Shared } from './session.ts'

const parts = 4

/** Runs every fourth page, without the pages of `guides.test.ts` on PostgreSQL. Four files share the pages, so that they run in several processes. */
export function followPages (t: Test, part: number): void {
  const pages = readPages().filter(({ blocks }) => blocks.length > 0)
  for (const page of pages.filter((_, index) => index % parts === part - 1)) {
    t.test(`${page.name} works as shown`, { skip: otherDatabase(page) }, async (t) => await follow(t, page))
  }
}

/**
 * Each page is followed on one database: on the embedded one, as most readers begin, unless it consists of `obra` commands or has parts for
 * PostgreSQL. Each command opens the database, which takes three times as long on the embedded one.
 * @returns the reason to skip a page
 */
function otherDatabase ({ name, blocks }: Page): string | false {
  const isForServer = blocks.some(({ language, postgresql, text }) => postgresql || (language === 'sh' && /\bobra (?!start\b)[a-z]/.test(text)))
  if (isForServer && server === undefined) return 'it needs PostgreSQL: DATABASE_URL is not set'
  if (isForServer) return sequence.includes(name) && 'guides.test.ts follows it'
  return server !== undefined && 'the suite on the embedded database follows it'
}

/** Runs a page and compares what it prints. @param shared the database and the server to use, instead of new ones */
export async function follow (t: Test, page: Page, shared?: Shared): Promise<void> {
  const { code, stderr, last, printed, refusals } = await play(t, page, shared)
  t.equal(code, 0, `every command succeeds; the last block started is ${last}`, { stderr })
  for (const one of printed) compare(t, one)
  for (const status of refusals) t.match(page.text, new RegExp(`\\b${status}\\b`), `the page mentions status ${status}`)
}

function compare (t: Test, { block, comment, output }: Printed): void {
  if (comment !== undefined) t.match(normalized(output, 'text'), expectedWithin(comment), `${block.at} prints ${comment}`)
  else if (block.answers.length > 0) {
    const { language, pattern } = expected(block.answers)
    t.match(normalized(output, language), pattern, `${block.at} prints the shown output`)
  }
}
