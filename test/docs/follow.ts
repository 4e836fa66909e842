import type { Test } from 'tap'
import { server } from '../support/template.ts'
import { expected, expectedWithin, normalized } from './answers.ts'
import { readPages, type Page } from './pages.ts'
import { play, type Printed } from './session.ts'

const parts = 4

/** Follows every fourth page. Four files share the pages, so that they are dealt to several processes. */
export function followPages (t: Test, part: number): void {
  const pages = readPages().filter(({ blocks }) => blocks.length > 0)
  for (const page of pages.filter((_, index) => index % parts === part - 1)) {
    t.test(`${page.name} does what it says`, { skip: isDear(page) && 'it runs on PostgreSQL: DATABASE_URL names none' }, async (t) => await follow(t, page))
  }
}

/** A page of `obra` commands: each is a process that opens the database, which takes three times as long where the database is embedded. */
function isDear ({ blocks }: Page): boolean {
  return server === undefined && blocks.some(({ language, postgresql, text }) => language === 'sh' && !postgresql && /\bobra (?!start\b)[a-z]/.test(text))
}

async function follow (t: Test, page: Page): Promise<void> {
  const { code, stderr, last, printed, refusals } = await play(t, page)
  t.equal(code, 0, `every command succeeds; the last block begun is ${last}`, { stderr })
  for (const one of printed) compare(t, one)
  for (const status of refusals) t.match(page.text, new RegExp(`\\b${status}\\b`), `the page says that something is answered with ${status}`)
  for (const { at } of page.blocks.filter(({ postgresql }) => postgresql && server === undefined)) t.pass(`${at} waits for PostgreSQL`, { skip: 'DATABASE_URL names none' })
}

function compare (t: Test, { block, comment, output }: Printed): void {
  if (comment !== undefined) t.match(normalized(output, 'text'), expectedWithin(comment), `${block.at} prints ${comment}`)
  else if (block.answers.length > 0) {
    const { language, pattern } = expected(block.answers)
    t.match(normalized(output, language), pattern, `${block.at} prints what the page shows`)
  }
}
