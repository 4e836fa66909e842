import fc from 'fast-check'
import t from 'tap'
import { registered } from '../../../../../../src/domain/resources.ts'
import { message } from '../../../../../../src/http/messages.ts'
import { estimating } from '../../../../../support/estimating.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { succeeded } from '../../../../../support/succeeded.ts'
import { decimal, sum } from '../../../../../support/exact.ts'

const { as, director, contract, estimate, change, psql } = await estimating(t)
const amounts: Record<string, string[]> = Object.fromEntries(registered.flatMap(({ name, totals }) => totals === undefined ? [] : [[name, Object.keys(totals.amounts)]]))

type Tap = Pick<typeof t, 'strictSame'>

interface Envelope {
  count: number
  next: string | null
  totals?: Record<string, Record<string, string>>
  results: Array<Record<string, any>>
}

const read = async (path: string): Promise<Envelope> => succeeded(await director.get(path)) as Envelope

/** Reads all pages of a list by following `next`. Each of them must have the same count and totals. */
async function readAll (t: Tap, path: string): Promise<Required<Pick<Envelope, 'count' | 'totals' | 'results'>>> {
  const { count, totals = {}, ...first } = await read(path)
  const results = [...first.results]
  for (let { next } = first; next !== null;) {
    const page = await read(next.replace(/.*\/api\/v1\//, ''))
    t.strictSame([page.count, page.totals], [count, totals], `the same totals on each page of ${path}`)
    results.push(...page.results)
    next = page.next
  }
  return { count, totals, results }
}

/** The sums of records by currency, with exact arithmetic. */
function added (records: Array<Record<string, any>>, fields: string[], currencyOf: (record: Record<string, any>) => string): Record<string, Record<string, string>> {
  const groups = Object.entries(Object.groupBy(records, currencyOf)).sort(([a], [b]) => a < b ? -1 : 1)
  return Object.fromEntries(groups.map(([currency, of = []]) => [currency, Object.fromEntries(fields.map(field =>
    [field, decimal(sum(of.map(record => BigInt(record[field].replace('.', '')))))]))]))
}

const parties = ['Cementos Ávila', 'Grúas Béjar', '77'].map(async nombre => succeeded(await director.post('contrapartes/', { nombre })).id as number)
const party = await Promise.all(parties)
const currencies = new Map<number, string>()
for (let n = 0; n < 24; n++) {
  const moneda = ['MXN', 'USD', 'EUR', 'MXN'][n % 4] as string
  const id = await contract({ folio: `TOTALES-${n}`, moneda, monto: `${100_000 + n * 37}.${n + 10}`, contraparte: n % 5 === 4 ? null : party[n % 3], anticipo_porcentaje: n % 3 * 10, retencion_porcentaje: n % 2 * 5, retencion_antes_iva: n % 7 > 2 })
  currencies.set(id, moneda)
  for (const [index, state] of ['autorizada', ['pagada', 'borrador', 'rechazada', 'enviada', 'cancelada', 'autorizada'][n % 6], 'borrador'].entries()) {
    const { id: made } = await estimate(id, { monto: `${1000 + n * 91 + index}.${11 + n}`, deductivas: `${n}.03`, descripcion: n % 2 === 0 ? 'Cimentación' : 'Losa' })
    if (n % 4 === 1) succeeded(await director.post('movimientos/', { estimate: made, tipo: 'pena', motivo: 'Atraso', antes_iva: n % 8 === 1, porcentaje: '1.5' }))
    for (const estado of { autorizada: ['enviada', 'autorizada'], pagada: ['enviada', 'autorizada', 'pagada'], borrador: [], rechazada: ['enviada', 'rechazada'], enviada: ['enviada'], cancelada: ['cancelada'] }[state as string] ?? []) {
      await change(made, { estado, ...estado === 'rechazada' ? { motivo_rechazo: 'No' } : {} })
    }
    if (state === 'autorizada' && n % 3 === 0) succeeded(await director.post('pagos/', { estimate: made, importe: '10.01', fecha: '2026-05-01' }))
  }
}
for (const { id, moneda } of (await read('contracts/?page_size=200')).results) currencies.set(id, moneda)
const currencyOf: Record<string, (record: Record<string, any>) => string> = {
  contracts: ({ moneda }) => moneda,
  estimates: ({ contract }) => currencies.get(contract) as string
}

const filters: Record<string, fc.Arbitrary<string>> = {
  contracts: fc.constantFrom('', `contraparte=${party[0]}`, 'contraparte=null', 'moneda=USD', 'moneda=EUR', 'monto_min=100200', 'parent=null', 'estado=cancelado', 'updated_since=2020-01-01T00:00Z', 'search=totales', 'search=totales-1', 'search=avila', 'search=nada'),
  estimates: fc.constantFrom('', `contraparte=${party[1]}`, 'contraparte=77x', 'contraparte_nombre=77', 'contraparte=null', 'estado=autorizada', 'estado=borrador', 'estado=pagada', 'pendiente_pago=true', 'pendiente_pago=false', 'updated_since=2020-01-01T00:00Z', 'search=cimentacion', 'search=losa%20totales-1', 'search=nada')
}
const orderings: Record<string, string[]> = { contracts: ['id', '-id', 'monto', '-folio', 'contraparte'], estimates: ['id', '-id', 'neto', '-neto', 'monto,neto', '-numero'] }

t.test('totals of any list are the sums of its pages', async (t) => {
  for (const name of ['contracts', 'estimates']) {
    const query = fc.record({
      filters: fc.uniqueArray(filters[name] as fc.Arbitrary<string>, { maxLength: 2, selector: filter => filter.split('=')[0] }),
      ordering: fc.constantFrom(...orderings[name] as string[]),
      size: fc.constantFrom(7, 50, 200)
    })
    await fc.assert(fc.asyncProperty(query, async ({ filters, ordering, size }) => {
      const path = `${name}/?${['totals=true', `ordering=${ordering}`, `page_size=${size}`, ...filters.filter(Boolean)].join('&')}`
      const { count, totals, results } = await readAll(t, path)
      t.strictSame([count, totals], [results.length, added(results, amounts[name] as string[], currencyOf[name] as never)], path)
      return t.passing()
    }), { numRuns: 25, endOnFailure: true })
  }
})

t.test('totals are only in lists that ask for them, and `fields` and the page do not limit them', async (t) => {
  const { count, totals } = await read('estimates/?totals=true')
  t.strictSame(Object.keys(totals ?? {}), ['EUR', 'MXN', 'USD'])
  t.strictSame(Object.keys(totals?.['MXN'] ?? {}), amounts['estimates'])
  for (const query of ['totals=true&fields=id', 'totals=1&page=2', 'totals=True&page=last', 'totals=true&page_size=1']) {
    const page = await read(`estimates/?${query}`)
    t.strictSame([page.count, page.totals], [count, totals], query)
  }
  for (const query of ['', 'totals=false', 'totals=0']) t.strictSame(Object.keys(await read(`estimates/?${query}`)), ['count', 'next', 'previous', 'results'], query)
  t.strictSame((await read('estimates/?totals=true&search=nada')).totals, {}, 'no records have no currency')
  t.match((await read('contracts/?totals=true&page_size=1')).next, /[?&]totals=true/, '`next` keeps the parameter')
})

t.test('other lists and values get 400', async (t) => {
  for (const name of registered.map(({ name }) => name).filter(name => amounts[name] === undefined)) {
    t.strictSame((await director.get(`${name}/?totals=true`)).json(), invalid({ totals: [message('en', 'unknownParameter')] }), name)
  }
  t.strictSame((await director.get('contracts/?totals=yess')).json(), invalid({ totals: [message('en', 'notBoolean', { input: 'yess' })] }))
  t.strictSame((await director.get('contracts/1/?totals=true')).json(), invalid({ totals: [message('en', 'unknownParameter')] }))
})

t.test('CSV ignores totals, like the page', async (t) => {
  const csv = async (query: string) => (await director.get(`contracts/?format=csv${query}`)).body
  t.equal(await csv('&totals=true&page_size=2'), await csv(''))
})

t.test('sums can have more digits than an amount', async (t) => {
  for (const n of [1, 2, 3]) await contract({ folio: `ENORME-${n}`, monto: '9999999999999999.99', moneda: 'EUR' })
  t.strictSame((await read('contracts/?search=enorme&totals=true')).totals, { EUR: { monto: '29999999999999999.97' } })
})

t.test('an ETag with totals belongs to the revision and to its own address', async (t) => {
  const etag = async (query: string) => String((await director.get(`contracts/?${query}`)).headers.etag)
  const tag = await etag('totals=true')
  t.not(tag, await etag('totals=false'))
  t.equal((await director.get('contracts/?totals=true', { 'if-none-match': tag })).statusCode, 304)
  const before = await read('contracts/?totals=true')
  await contract({ folio: 'UNO-MÁS', monto: '5.00' })
  t.equal((await director.get('contracts/?totals=true', { 'if-none-match': tag })).statusCode, 200)
  const after = await read('contracts/?totals=true')
  const cents = ({ totals }: Envelope) => BigInt(totals?.['MXN']?.['monto']?.replace('.', '') ?? 0)
  t.strictSame([after.count - before.count, cents(after) - cents(before)], [1, 500n])
})

t.test('count, totals and results are from one snapshot during writes', async (t) => {
  const progress = { isDone: false }
  const writer = (async () => {
    for (let n = 0; n < 30; n++) await contract({ folio: `VIVO-${n}`, monto: '1.00', moneda: 'EUR' })
    progress.isDone = true
  })()
  let reads = 0
  while (!progress.isDone) {
    const { count, totals, results } = await read(`contracts/?search=vivo&totals=true&page_size=200&_=${reads++}`)
    t.strictSame([totals, results.length], [count === 0 ? {} : { EUR: { monto: `${count}.00` } }, count])
  }
  await writer
  t.ok(reads > 1)
})

t.test('each level reads totals, of the active company only', async (t) => {
  const mine = await read('contracts/?totals=true')
  t.strictSame(((await (await as('auxiliar@demo.example')).get('contracts/?totals=true')).json() as Envelope).totals, mine.totals)
  const other = (await (await as('director@otra.example')).get('contracts/?totals=true')).json() as Envelope
  const [{ monto }] = await psql('select sum(monto)::text as monto from contracts where company_id = 3') as [{ monto: string }]
  t.strictSame(other.totals, { MXN: { monto } })
})
