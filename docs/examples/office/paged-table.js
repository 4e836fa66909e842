import { inWords } from './api.js'
import { addRows, drawTable, notice, onClick } from './dom.js'
import { text } from './texts.js'

/** Rows of a page. */
export const pageSize = 200

/** @typedef {{ count: number, next: string | null, results: any[] }} Page */

/**
 * Fills a table with the first page of a list. A button below it adds the next page, as long as there is one.
 * @param {HTMLTableElement} table
 * @param {string} title of the table. The caption adds how many rows of how many it has
 * @param {Parameters<typeof drawTable>[1]} columns
 * @param {{ first: Page, read: (query: object) => Promise<Page>, signal: AbortSignal }} pages `read` reads the page with these parameters, until
 *   the view ends
 */
export function drawPages (table, title, columns, { first, read, signal }) {
  const more = Object.assign(document.createElement('button'), { type: 'button', className: 'plain more', textContent: text('more') })
  more.ariaLabel = `${more.textContent}: ${title}`
  let next = null

  function add (page) {
    const rows = addRows(table, columns, page.results)
    const shown = table.tBodies[0].rows.length
    table.caption.textContent = shown < page.count ? `${title} (${text('first')} ${shown} ${text('of')} ${page.count})` : title
    next = page.next
    more.hidden = next === null
    return rows[0] ?? table
  }

  drawTable(table, columns, [])
  add(first)
  table.after(more)
  onClick(more, async () => {
    notice.textContent = ''
    try {
      // The link continues after the last row, even if others add or remove rows meanwhile.
      const place = add(await read(Object.fromEntries(new URL(next).searchParams)))
      // The button can be gone now.
      Object.assign(place, { tabIndex: -1 }).focus()
    } catch (error) {
      if (!signal.aborted) notice.textContent = inWords(error)
    }
  })
}
