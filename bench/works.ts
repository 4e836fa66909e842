import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { randomFrom, shuffled } from '../test/support/trial/random.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { print, quantiles, Report } from './report.ts'
import { median } from '../test/support/trial/percentile.ts'

const help = `node bench/works.ts [options]

Prints the figures of estimates with lines, in a contract of 5,000 concepts and 60 estimates: a bulk of all concepts, bulks of measurements,
one measurement, pages of the lines, reports, and authorizations. Exits with 1 if the median of a figure is above its bound, or an answer is
wrong.

  --estimates N   estimates of the contract (60)
  --lines N       lines of each estimate, with 5 measurements each (300)
  --embedded      use the embedded database
`

/** Concepts of the contract. */
const concepts = 5000
/** Measurements of a line. */
const perLine = 5
/** Items of a bulk of measurements. */
const items = 1000
/** Measurements that are written and changed alone, in each estimate. */
const alone = 5

/** Upper bounds of medians in ms. */
const bounds: Record<string, number> = {
  'bulk of 5,000 concepts': 2000,
  'one measurement': 10,
  'change of one measurement': 10,
  'page of 20 lines of a draft': 50,
  'page of 200 lines of a draft': 50,
  'page of 200 lines, authorized': 50,
  'page of 200 of all concepts': 50,
  'cover sheet of a draft': 100,
  'cover sheet, authorized': 100,
  'statement of account': 100,
  authorization: 50,
  'undo of an authorization': 50
}
/** Upper bound of the last authorizations, as a multiple of the second to fifth. */
const growth = 1.2

/** Times in ms of requests by kind. */
class Times {
  readonly byKind = new Map<string, number[]>()

  /** Measures a request. @returns its answer */
  async of<T> (kind: string, request: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const answer = await request()
    this.byKind.set(kind, [...this.byKind.get(kind) ?? [], performance.now() - began])
    return answer
  }

  /** Reports all kinds. @returns those above their bound */
  report (report: Report): string[] {
    return [...this.byKind].filter(([kind, times]) => {
      const bound = bounds[kind]
      report.add(kind, quantiles(times), bound === undefined ? undefined : `bound ${bound} ms`)
      return median(times) > (bound ?? Infinity)
    }).map(([kind]) => kind)
  }
}

const random = randomFrom(60)

/** The catalogue: ids of its concepts. Quantities are so large that the contract has room for all estimates. */
async function makeCatalogue (caller: Caller, times: Times, contract: number): Promise<number[]> {
  const rows = Array.from({ length: concepts }, (_, n) => ({
    contract,
    clave: `C-${n}`,
    capitulo: `${n % 20}/${n % 100}`,
    descripcion: `Concepto ${n} de la obra, suministro y colocación`,
    unidad: 'm3',
    cantidad: '10000.0000',
    precio_unitario: `${(n * 7919 % 99_999) / 100}`
  }))
  const { results } = await times.of('bulk of 5,000 concepts', async () => await caller.post('conceptos/bulk/', { items: rows }))
  return results.map(({ id }: { id: number }) => id)
}

/** An estimate with its measurements. Some of them are written alone. */
async function makeEstimate (caller: Caller, times: Times, contract: number, lines: number[]): Promise<number> {
  const { id: estimate } = await caller.post('estimates/', { contract })
  const measurement = (concepto: number) => ({
    estimate, concepto, ubicacion: `Eje ${concepto % 40}`, piezas: '2', largo: `${1 + concepto % 9}.25`, alto: '0.4'
  })
  const all = lines.flatMap(concepto => Array.from({ length: perLine }, () => measurement(concepto)))
  for (let first = 0; first < all.length; first += items) {
    const part = all.slice(first, first + items)
    await times.of(`bulk of ${part.length} measurements`, async () => await caller.post('generadores/bulk/', { items: part }))
  }
  for (const concepto of lines.slice(0, alone)) {
    const { id } = await times.of('one measurement', async () => await caller.post('generadores/', measurement(concepto)))
    await times.of('change of one measurement', async () => await caller.patch(`generadores/${id}/`, { piezas: '1' }))
    const change = { descripcion: `Obra ${id}` }
    await times.of('change of a contract, for comparison', async () => await caller.patch(`contracts/${contract}/`, change))
  }
  return estimate
}

async function readReport (caller: Caller, times: Times, kind: string, estimate: number, query: string, count: number): Promise<void> {
  // Another page each time, so that none is cached.
  const page = await times.of(kind, async () => await caller.get(`estimates/${estimate}/conceptos/?${query}`))
  if (page.count !== count) throw new Error(`${kind} has ${page.count} lines, not ${count}`)
}

async function works (estimates: number, lines: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded }, 'obra_works', { companies: 1, contracts: 1000, users: 1 }))
  const server = stack.use(await startObra(database))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const caller = new Caller(server, users[0] as User)
  const report = new Report('works', database.kind)
  const times = new Times()
  const authorizations: number[] = []

  const { id: contract } = await caller.post('contracts/', { folio: 'OBRA-1', anticipo_porcentaje: '30.00', retencion_porcentaje: '5.00' })
  const catalogue = await makeCatalogue(caller, times, contract)
  for (let number = 1; number <= estimates; number++) {
    const own = shuffled(catalogue, random).slice(0, lines)
    const estimate = await makeEstimate(caller, times, contract, own)
    await readReport(caller, times, 'page of 20 lines of a draft', estimate, '', lines)
    await readReport(caller, times, 'page of 200 lines of a draft', estimate, 'page_size=200', lines)
    await times.of('cover sheet of a draft', async () => await caller.get(`estimates/${estimate}/caratula/`))
    await caller.patch(`estimates/${estimate}/`, { estado: 'enviada' })
    await times.of('authorization', async () => await caller.patch(`estimates/${estimate}/`, { estado: 'autorizada' }))
    authorizations.push(times.byKind.get('authorization')?.at(-1) ?? 0)
    await readReport(caller, times, 'page of 200 lines, authorized', estimate, 'page_size=200', lines)
    await readReport(caller, times, 'page of 200 of all concepts', estimate, `page_size=200&todos=true&page=${1 + number % 25}`, concepts)
    await times.of('cover sheet, authorized', async () => await caller.get(`estimates/${estimate}/caratula/`))
    await times.of('statement of account', async () => await caller.get(`contracts/${contract}/estado-de-cuenta/`))
    await times.of('undo of an authorization', async () => await caller.patch(`estimates/${estimate}/`, { estado: 'enviada' }))
    await caller.patch(`estimates/${estimate}/`, { estado: 'autorizada' })
  }

  const slow = times.report(report)
  const [early, late] = [median(authorizations.slice(1, 6)), median(authorizations.slice(-5))]
  report.add('last five authorizations, divided by the second to sixth', { ratio: late / early }, `bound ${growth}`)
  if (late > early * growth) slow.push('growth of authorizations')
  if (slow.length > 0) {
    print('above the bound', slow.join(', '))
    process.exitCode = 1
  }
  report.keep()
}

await withFlags(help, { estimates: [60, 1000], lines: [300, concepts] }, ['embedded'], async ({ estimates, lines, embedded }) => {
  await works(estimates, lines, embedded)
})
