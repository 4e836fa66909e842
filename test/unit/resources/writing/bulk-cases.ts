import fc from 'fast-check'

const cents = (most: number) => fc.nat(most).map(hundredths => (hundredths / 100).toFixed(2))
const currency = fc.constantFrom('MXN', 'MXN', 'USD')
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] })
/** Items of a few records, each at most once. */
const itemsOf = <T>(slots: number, fields: fc.Arbitrary<T>) => fc.uniqueArray(fc.record({ slot: fc.nat(slots - 1), fields }), { selector: ({ slot }) => slot, minLength: 1, maxLength: 7 })

const rarely = fc.nat(19).map(chance => chance === 0)
const sometimes = fc.nat(3).map(chance => chance === 0)

const month = fc.option(fc.nat(4), { freq: 2 })
export const period = (of: number | null) => of === null ? { periodo_inicio: null, periodo_fin: null } : { periodo_inicio: `2026-0${of + 1}-01`, periodo_fin: `2026-0${of + 1}-28` }

/** The usual next states of an estimate. */
export const nextStates: Record<string, string[]> = {
  borrador: ['borrador', 'enviada'], enviada: ['autorizada', 'autorizada', 'autorizada', 'borrador', 'cancelada'], autorizada: ['pagada', 'enviada', 'autorizada'], rechazada: ['borrador']
}

export const estimatesCase = fc.record({
  contracts: fc.array(fc.record({
    monto: fc.integer({ min: 80, max: 300 }).map(hundredths => (hundredths / 100).toFixed(2)),
    anticipo_porcentaje: fc.constantFrom('0', '50', '50', '50'),
    retencion_porcentaje: fc.constantFrom('0', '5'),
    estado: fc.oneof({ weight: 8, arbitrary: fc.constant('vigente') }, { weight: 2, arbitrary: fc.constantFrom('terminado', 'cancelado') })
  }), { minLength: 2, maxLength: 2 }),
  existing: fc.array(fc.record({ contract: fc.constantFrom(0, 0, 0, 1), monto: cents(60), deductivas: fc.constantFrom('0.00', '0.00', '0.01'), month, estado: fc.constantFrom('enviada', 'enviada', 'enviada', 'borrador', 'borrador', 'autorizada', 'rechazada') }), { minLength: 5, maxLength: 5 }),
  items: itemsOf(7, fc.record({
    contract: fc.nat(1),
    month: fc.option(month, { freq: 1, nil: undefined }),
    fields: optional({ monto: cents(60), deductivas: fc.constantFrom('0.00', '0.05'), descripcion: fc.constantFrom('a', 'b') }),
    choice: fc.nat(19),
    isWrong: rarely
  }))
})

export const contractsCase = fc.record({
  existing: fc.array(fc.record({ parent: fc.option(fc.nat(4)), monto: cents(500), moneda: currency, billed: sometimes }), { minLength: 5, maxLength: 5 }),
  items: itemsOf(7, fc.record({
    folio: fc.nat(9),
    isRenamed: sometimes,
    parent: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constantFrom(null, 8) }),
    fields: optional({ monto: cents(500), contraparte: fc.nat(1), estado: fc.constantFrom('vigente', 'suspendido', 'terminado'), anticipo_porcentaje: fc.constantFrom('0.00', '50.00') }),
    moneda: fc.option(currency, { freq: 1, nil: undefined })
  }))
})

export const contrapartesCase = itemsOf(7, fc.record({ nombre: fc.nat(9), isRenamed: fc.boolean(), notas: fc.constantFrom('a', 'b') }))

type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** An item of the first contract that changes to its first next state. */
const item = (slot: number, month?: number) => ({ slot, fields: { contract: 0, month, fields: {}, choice: 0, isWrong: false } })
const estimatesOf = (estado: 'enviada' | 'borrador', montos: string[], items: Array<ReturnType<typeof item>>): Of<typeof estimatesCase> => ({
  contracts: [0, 1].map(() => ({ monto: '1.00', anticipo_porcentaje: '50', retencion_porcentaje: '0', estado: 'vigente' })),
  existing: montos.map((monto, index) => ({ contract: index > 2 ? 1 : 0, monto, deductivas: '0.00', month: estado === 'enviada' ? null : index, estado })),
  items
})
/** Cases that random ones may lack, each with its outcome. */
export const estimatesExamples = [
  estimatesOf('enviada', ['0.45', '0.45', '0.10', '0', '0'], [2, 1, 0].map(slot => item(slot))), // written: the advance is used in the order of the items
  estimatesOf('enviada', ['0.45', '0.45', '0.45', '0', '0'], [2, 1, 0].map(slot => item(slot))), // the last one exceeds the contract
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(5, 4), item(6, 4)]), // two creates of one period
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(0, 3), item(5, 0)]), // written: a period is released and taken
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(5, 0), item(0, 3)]) // it is taken before it is released
]
const moved = (slot: number, parent?: number, folio?: number) => ({ slot, fields: { folio: folio ?? 0, isRenamed: folio !== undefined, parent, fields: {}, moneda: undefined } })
export const contractsExamples = [
  [moved(2, 1), moved(0, 2), moved(1, undefined, 9)], // a cycle
  [moved(0, undefined, 9), moved(1, undefined, 0), moved(5, undefined, 1)], // written: folios are released and taken
  [moved(0, undefined, 9), moved(5, undefined, 1), moved(1, undefined, 0)] // one is taken before it is released
].map((items): Of<typeof contractsCase> => ({ existing: [null, 0, null, null, null].map(parent => ({ parent, monto: '1.00', moneda: 'MXN', billed: false })), items }))
