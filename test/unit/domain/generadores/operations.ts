import fc from 'fast-check'

/** The codes of the original catalogue. */
export const claves = ['A', 'B', 'C', 'D'] as const
const price = fc.oneof(fc.bigInt(0n, 3_000_000n), fc.constantFrom(335_000n, 2_845_333_300n, 1_000_000n, 500_000n))
const agreed = fc.oneof(fc.bigInt(0n, 200_000n), fc.constantFrom(10_000n, 30_000n, 50_000n))
const measured = fc.oneof({ weight: 4, arbitrary: fc.bigInt(0n, 60_000n) }, { weight: 1, arbitrary: fc.bigInt(-30_000n, 0n) }, { weight: 2, arbitrary: fc.constantFrom(10_000n, 1n, 15_000n) })
/** A catalogue and the rows that change orders add to it. */
export const catalogue = fc.record({
  prices: fc.tuple(price, price, price, price),
  quantities: fc.tuple(agreed, agreed, agreed, agreed),
  lump: fc.tuple(fc.boolean(), fc.constant(false), fc.constant(false), fc.constant(false)),
  added: fc.array(fc.record({ convenio: fc.nat(1), clave: fc.nat(3), cantidad: fc.oneof(agreed, agreed.map(one => -one)) }), { maxLength: 5 }),
  advance: fc.tuple(fc.boolean(), fc.boolean()),
  anticipo: fc.constantFrom(0n, 1000n, 3000n),
  retencion: fc.constantFrom(0n, 500n)
})
/** An operation, with what it can need. */
export const step = fc.record({
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constant('create' as const) }, { weight: 14, arbitrary: fc.constant('measure' as const) }, { weight: 12, arbitrary: fc.constant('onward' as const) },
    { weight: 3, arbitrary: fc.constantFrom('move' as const, 'reprice' as const, 'undo' as const) }, { weight: 3, arbitrary: fc.constantFrom('change' as const, 'unmeasure' as const) },
    { weight: 4, arbitrary: fc.constant('convenio' as const) }
  ),
  which: fc.nat(5),
  row: fc.nat(8),
  measured,
  given: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(1n, 5000n) }),
  estado: fc.constantFrom('borrador', 'enviada', 'autorizada', 'rechazada', 'cancelada'),
  ofConvenio: fc.constantFrom('borrador', 'enviado', 'autorizado', 'firmado'),
  price,
  agreed
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Catalogue = typeof catalogue extends fc.Arbitrary<infer T> ? T : never

const act = (what: Step['what'], rest: Partial<Step> = {}): Step => ({
  what, which: 0, row: 0, measured: 50_000n, given: 0n, estado: 'borrador', ofConvenio: 'borrador', price: 0n, agreed: 200_000n, ...rest
})
/** Refusals and an undo that random steps can lack: a sent estimate, a closed catalogue, and more than the contract is for. */
export const example: [Catalogue, Step[]] = [
  {
    prices: [1_000_000n, 1_000_000n, 1_000_000n, 1_000_000n],
    quantities: [100_000n, 100_000n, 100_000n, 100_000n],
    lump: [false, false, false, false],
    added: [],
    advance: [false, false],
    anticipo: 0n,
    retencion: 0n
  },
  [
    act('create'), act('measure'), act('onward'), act('measure'), act('onward'), act('reprice', { which: 1 }), act('undo'),
    act('reprice', { which: 1 }), act('convenio', { row: 1 }), act('create', { given: 6000n }), act('onward', { which: 1 }), act('onward', { which: 1 })
  ]
]

/** The usual next state of an estimate, and of a change order. */
export const onward: Record<string, string> = { borrador: 'enviada', enviada: 'autorizada', rechazada: 'borrador' }
export const onwardConvenio: Record<string, string> = { borrador: 'enviado', enviado: 'autorizado', autorizado: 'firmado' }
