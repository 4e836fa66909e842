/** What a page takes as a whole: a line of text, or a row of a table. */
export interface Strip {
  /** In points. */
  height: number
  /** Draws it on the present page. @param x its left edge @param y its upper edge */
  draw: (x: number, y: number) => void
  /** Divides a strip that is higher than a page. @param height of the first part, at most @returns undefined if it has a single line */
  cut?: (height: number) => [Strip, Strip] | undefined
}

/** Strips below each other. */
export interface Run {
  /** Space in points above the first and below the last strip. */
  before: number
  after: number
  /** What each page of the run begins with. */
  head: Strip[]
  /** At least one. */
  body: Strip[]
  /** Whether its last strip stays on the page of the beginning of the next block. */
  keepsNext?: boolean
  /** Whether it stays on the page of the last strip of the block before. */
  keepsPrevious?: boolean
}

/** Columns of blocks. @see Run */
export interface Columns {
  /** The distance of each column from the left edge, in points, and its blocks. */
  columns: Array<{ x: number, blocks: Block[] }>
}

/** What pages are filled with. */
export type Block = Run | Columns

const sum = (strips: Strip[]) => strips.reduce((total, { height }) => total + height, 0)

/** The height of a block on one page, in points. */
export function heightOf (block: Block): number {
  if ('columns' in block) return Math.max(0, ...block.columns.map(({ blocks }) => blocks.reduce((total, one) => total + heightOf(one), 0)))
  return block.before + sum(block.head) + sum(block.body) + block.after
}

/** The height of a block's beginning, which a page takes as a whole: up to its first strip. */
export function leadOf (block: Block | undefined): number {
  if (block === undefined) return 0
  if ('columns' in block) return Math.max(0, ...block.columns.map(({ blocks }) => leadOf(blocks[0])))
  return block.before + sum(block.head) + block.body[0].height
}

/** The height of a block's head. */
export function headOf ({ head }: Run): number {
  return sum(head)
}
