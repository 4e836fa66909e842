import { pick, randomFrom, shuffled } from '../../test/support/trial/random.ts'
import type { Caller } from '../caller.ts'

/** Concepts of the contract. */
export const concepts = 5000
/** Estimates that are authorized before the measurement. The ERP pays a part of them. */
export const paidEstimates = 5
/** Items of a bulk of the ERP. */
export const bulkItems = 500
/** Phones that add lines. */
export const phones = 3
/** Items of a bulk of lines. */
const linesPerBulk = 1000

/** An estimate, and what the bench has written into it. */
export interface SiteEstimate {
  id: number
  /** Quantities of its lines, by id of the concept. */
  quantities: Map<number, number>
  lines: number
}

/** The contract under load. */
export interface Site {
  contract: number
  /** Ids of the concepts, and their prices in cents. */
  prices: Map<number, number>
  /** Authorized ones, which the ERP pays, then drafts that the Director authorizes. */
  estimates: SiteEstimate[]
  /** Drafts to which the phones add lines, one each. */
  drafts: SiteEstimate[]
}

/** A line that was written. All quantities are whole numbers. */
export interface WrittenLine {
  concepto: number
  quantity: number
}

/** Amount in cents. */
export function amountOf ({ quantities }: SiteEstimate, prices: Map<number, number>): number {
  return [...quantities].reduce((sum, [concepto, quantity]) => sum + quantity * (prices.get(concepto) ?? NaN), 0)
}

/** Cents as a decimal of an answer. */
export function decimal (cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Adds lines that were written to what is expected. */
export function addLines (estimate: SiteEstimate, lines: readonly WrittenLine[]): void {
  for (const { concepto, quantity } of lines) estimate.quantities.set(concepto, (estimate.quantities.get(concepto) ?? 0) + quantity)
  estimate.lines += lines.length
}

const random = randomFrom(60)

/** The dimensions of a random line, and its quantity. */
export function randomLine (ids: readonly number[], from = random) {
  const [concepto, pieces, length] = [pick(ids, from), 1 + Math.floor(from() * 3), 1 + Math.floor(from() * 9)]
  return { line: { concepto, quantity: pieces * length }, body: { concepto, piezas: String(pieces), largo: String(length) } }
}

/** Makes the contract with its catalogue and its estimates, and authorizes the first of them. */
export async function makeSite (caller: Caller, estimates: number, lines: number): Promise<Site> {
  const { id: contract } = await caller.post('contracts/', { folio: 'OBRA-1', anticipo_porcentaje: '30.00', retencion_porcentaje: '5.00' })
  const prices = await makeCatalogue(caller, contract)
  const site: Site = { contract, prices, estimates: [], drafts: [] }
  const ids = [...prices.keys()]
  for (let number = 0; number < estimates; number++) {
    const estimate = await makeEstimate(caller, contract, shuffled(ids, random).slice(0, lines))
    site.estimates.push(estimate)
    if (number >= paidEstimates) continue
    for (const estado of ['enviada', 'autorizada']) await caller.patch(`estimates/${estimate.id}/`, { estado })
  }
  for (let phone = 0; phone < phones; phone++) site.drafts.push(await makeEstimate(caller, contract, []))
  return site
}

async function makeCatalogue (caller: Caller, contract: number): Promise<Map<number, number>> {
  const centsOf = (n: number) => 1 + n * 7919 % 99_999
  const items = Array.from({ length: concepts }, (_, n) => ({
    contract,
    clave: `C-${n}`,
    capitulo: `${n % 20}/${n % 100}`,
    descripcion: `Concepto ${n} de la obra, suministro y colocación`,
    unidad: 'm3',
    cantidad: '100000.0000',
    precio_unitario: decimal(centsOf(n))
  }))
  const { results } = await caller.post('conceptos/bulk/', { items })
  return new Map(results.map(({ id }: { id: number }, n: number) => [id, centsOf(n)]))
}

async function makeEstimate (caller: Caller, contract: number, ids: number[]): Promise<SiteEstimate> {
  const { id } = await caller.post('estimates/', { contract })
  const estimate: SiteEstimate = { id, quantities: new Map(), lines: 0 }
  const made = ids.map(concepto => randomLine([concepto]))
  for (let first = 0; first < made.length; first += linesPerBulk) {
    const items = made.slice(first, first + linesPerBulk).map(({ body }) => ({ estimate: id, ...body }))
    await caller.post('generadores/bulk/', { items })
  }
  addLines(estimate, made.map(({ line }) => line))
  return estimate
}
