import { contracts } from '../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../src/domain/contrapartes/resource.ts'
import { defineResource } from '../../src/domain/define.ts'
import { resources } from '../../src/domain/resources.ts'
import { decimal, money, price, quantity } from '../../src/resources/declaration/decimals.ts'
import { copied, generated, numberedWithin } from '../../src/resources/declaration/derived.ts'
import { choice, hash, instant, integer, reference, text } from '../../src/resources/declaration/fields.ts'
import { linkResources } from '../../src/resources/declaration/links.ts'

/** Buildings of a contract. */
export const edificios = defineResource({
  name: 'edificios',
  title: 'Edificio',
  one: 'a building',
  many: 'buildings',
  spanish: { one: 'un edificio', many: 'edificios' },
  fields: {
    contract: reference(contracts).required().fixed(),
    nombre: text(100).required(),
    estado: choice(['abierta', 'cerrada', 'pagada']).default('abierta'),
    monto: money().signed().default('0.00').sumOf('renglones', 'importe'),
    pagado: money().signed().default('0.00').sumOf('abonos', 'importe')
  },
  search: { columns: [] },
  table: { checks: [{ name: 'edificios_tope_check', expression: "nombre <> 'Tope' or monto <= 100", field: 'monto', key: 'exceedsContract' }] }
})

/** Entries of a building. */
export const renglones = defineResource({
  name: 'renglones',
  title: 'Renglon',
  one: 'an entry',
  many: 'entries',
  spanish: { one: 'un renglón', many: 'renglones' },
  fields: {
    edificio: reference(edificios).required().fixed().onDelete('cascade').filterable('Id of the building.'),
    contract: copied(reference(contracts), 'edificio.contract').filterable('Id of the contract.'),
    proveedor: reference(contrapartes).nullable(),
    numero: numberedWithin('edificio').orderable().filterable('Number of the entry.'),
    clave: text(64).required().uniqueWithin('edificio', 'proveedor'),
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
  writableWhile: { edificio: 'estado', is: 'abierta', otherwise: 'estimateNotDraft', except: ['sha256'] }
})

/** Instalments of a building. The instalment that leaves nothing makes it `pagada`, and its deletion undoes that. */
export const abonos = defineResource({
  name: 'abonos',
  title: 'Abono',
  one: 'an instalment',
  many: 'instalments',
  spanish: { one: 'un abono', many: 'abonos' },
  fields: {
    edificio: reference(edificios).required().fixed(),
    contract: copied(reference(contracts), 'edificio.contract'),
    referencia: text(50).nullable().uniqueWithin('contract'),
    importe: money().signed().required().fixed()
  },
  search: { columns: [] },
  effects: [
    { on: ['insert'], of: 'edificio', set: { estado: "'pagada'" }, where: "p.estado = 'cerrada' and p.pagado >= p.monto" },
    { on: ['delete'], of: 'edificio', set: { estado: "'cerrada'" }, where: "p.estado = 'pagada' and p.pagado < p.monto" }
  ]
})

/** Readings of an entry, which protect it. A reading changes the notes of the party that has made it. */
export const lecturas = defineResource({
  name: 'lecturas',
  title: 'Lectura',
  one: 'a reading',
  many: 'readings',
  spanish: { one: 'una lectura', many: 'lecturas' },
  fields: { renglon: reference(renglones).required().fixed(), contraparte: reference(contrapartes).nullable() },
  search: { columns: [] },
  effects: [{ on: ['insert'], of: 'contraparte', set: { notas: "'leída'" }, where: 'true' }]
})

/** The children, in the order in which their tables refer to each other. */
export const children = [edificios, renglones, abonos, lecturas]

linkResources([...resources, ...children])
