import { contracts } from '../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../src/domain/contrapartes/resource.ts'
import { defineResource } from '../../src/domain/define.ts'
import { resources } from '../../src/domain/resources.ts'
import { decimal, money, price, quantity } from '../../src/resources/declaration/decimals.ts'
import { copied, generated, numberedWithin } from '../../src/resources/declaration/derived.ts'
import { choice, hash, instant, integer, reference, text } from '../../src/resources/declaration/fields.ts'
import { linkResources } from '../../src/resources/declaration/links.ts'

/** Works of a contract. */
export const obras = defineResource({
  name: 'obras',
  title: 'Obra',
  one: 'a work',
  many: 'works',
  spanish: { one: 'una obra', many: 'obras' },
  fields: {
    contract: reference(contracts).required().fixed(),
    nombre: text(100).required(),
    estado: choice(['abierta', 'cerrada', 'pagada']).default('abierta'),
    monto: money().default('0.00').sumOf('partidas', 'importe'),
    pagado: money().signed().default('0.00').sumOf('pagos', 'importe')
  },
  search: { columns: [] }
})

/** Lines of a work. */
export const partidas = defineResource({
  name: 'partidas',
  title: 'Partida',
  one: 'a line',
  many: 'lines',
  spanish: { one: 'una partida', many: 'partidas' },
  fields: {
    obra: reference(obras).required().fixed().onDelete('cascade').filterable('Id of the work.'),
    contract: copied(reference(contracts), 'obra.contract').filterable('Id of the contract.'),
    proveedor: reference(contrapartes).nullable(),
    numero: numberedWithin('obra').orderable().filterable('Number of the line.'),
    clave: text(64).required().uniqueWithin('obra', 'proveedor'),
    cantidad: quantity().required().orderable().range('At least this quantity.', 'At most this quantity.'),
    precio_unitario: price().required().orderable().filterable('This price.'),
    importe: generated(money().signed(), 'round(cantidad * precio_unitario, 2)').orderable().range('At least this amount.', 'At most this amount.'),
    avance: decimal(9, 6).nullable().orderable(),
    piezas: integer(-10, 100_000).default(0).orderable().filterable('This number of pieces.'),
    medida_en: instant().nullable().orderable().bound('medida_desde', '>=', 'Measured at or after this time.'),
    sha256: hash().nullable().filterable('This hash.')
  },
  search: { columns: ['clave'] },
  maxItems: 1500,
  writableWhile: { obra: 'estado', is: 'abierta', otherwise: 'estimateNotDraft', except: ['sha256'] }
})

/** Payments of a work. The payment that leaves nothing makes it `pagada`, and its deletion undoes that. */
export const pagos = defineResource({
  name: 'pagos',
  title: 'Pago',
  one: 'a payment',
  many: 'payments',
  spanish: { one: 'un pago', many: 'pagos' },
  fields: {
    obra: reference(obras).required().fixed(),
    contract: copied(reference(contracts), 'obra.contract'),
    referencia: text(50).nullable().uniqueWithin('contract'),
    importe: money().signed().required().fixed()
  },
  search: { columns: [] },
  effects: [
    { on: ['insert'], of: 'obra', set: { estado: "'pagada'" }, where: "p.estado = 'cerrada' and p.pagado >= p.monto" },
    { on: ['delete'], of: 'obra', set: { estado: "'cerrada'" }, where: "p.estado = 'pagada' and p.pagado < p.monto" }
  ]
})

/** Measurements of a line, which protect it. */
export const mediciones = defineResource({
  name: 'mediciones',
  title: 'Medicion',
  one: 'a measurement',
  many: 'measurements',
  spanish: { one: 'una medición', many: 'mediciones' },
  fields: { partida: reference(partidas).required().fixed() },
  search: { columns: [] }
})

/** The children, in the order in which their tables refer to each other. */
export const children = [obras, partidas, pagos, mediciones]

linkResources([...resources, ...children])
