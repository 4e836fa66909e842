import { headOf, heightOf, leadOf, type Block, type Columns, type Run, type Strip } from './strip.ts'

/** The pages of a document. */
interface Pages {
  /** The upper and lower edge of their content, in points. */
  top: number
  bottom: number
  /** Continues on a page. @param page its number, from 0. At most one more than there are. */
  turnTo: (page: number) => void
}

/** A place in a document: the next strip begins there. */
interface Place {
  page: number
  y: number
}

/**
 * Fills pages with blocks, from top to bottom.
 * @param x the left edge of the blocks, in points
 * @param reserve height in points that the page of the last strip has left below it, if a page has that much
 * @returns the end of the last block
 */
export function fill (pages: Pages, blocks: Block[], x: number, start: Place, reserve = 0): Place {
  let place = start
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]
    const left = next === undefined ? reserve : reserveFor(block, next)
    place = 'columns' in block ? fillColumns(pages, block, x, place, left) : fillRun(pages, block, x, place, left)
  }
  return place
}

/** What the page of a block's end has room for, because it stays together. */
function reserveFor (block: Block, next: Block): number {
  if ('keepsPrevious' in next) return heightOf(next)
  return 'keepsNext' in block ? leadOf(next) : 0
}

/** Columns that one page has room for are not divided. */
function fillColumns (pages: Pages, block: Columns, x: number, start: Place, reserve: number): Place {
  const needed = heightOf(block) + reserve
  const isDivided = needed > pages.bottom - pages.top
  const place = isDivided || needed <= pages.bottom - start.y ? start : nextPage(pages, start)
  const ends = block.columns.map(column => fill(pages, column.blocks, x + column.x, place, reserve))
  const page = Math.max(place.page, ...ends.map(end => end.page))
  return { page, y: Math.max(pages.top, ...[place, ...ends].filter(end => end.page === page).map(end => end.y)) }
}

function fillRun (pages: Pages, run: Run, x: number, start: Place, reserve: number): Place {
  const head = headOf(run)
  const waiting = [...run.body].reverse()
  let place = { ...start, y: start.y + run.before }
  let isHeaded = false
  for (let strip = waiting.pop(); strip !== undefined; strip = waiting.pop()) {
    const needed = (isHeaded ? 0 : head) + strip.height + endOf(waiting, reserve)
    const isFresh = place.y <= pages.top + run.before + (isHeaded ? head : 0)
    if (!isFresh && needed > pages.bottom - place.y) {
      place = nextPage(pages, place)
      isHeaded = false
      waiting.push(strip)
      continue
    }
    if (!isHeaded) {
      for (const one of run.head) place = drawn(pages, one, x, place)
      isHeaded = true
    }
    const room = pages.bottom - place.y
    const parts = strip.height > room ? strip.cut?.(room) : undefined
    if (parts !== undefined) waiting.push(parts[1])
    place = drawn(pages, parts?.[0] ?? strip, x, place)
  }
  return { ...place, y: place.y + run.after }
}

/** Height of what stays with a strip: what follows the run, and before that the last strip, so that a total has a row above it. */
function endOf (waiting: Strip[], reserve: number): number {
  const [last] = waiting
  if (reserve === 0 || last === undefined) return reserve
  return waiting.length === 1 ? last.height + reserve : 0
}

function drawn (pages: Pages, strip: Strip, x: number, { page, y }: Place): Place {
  pages.turnTo(page)
  strip.draw(x, y)
  return { page, y: y + strip.height }
}

function nextPage ({ top }: Pages, { page }: Place): Place {
  return { page: page + 1, y: top }
}
