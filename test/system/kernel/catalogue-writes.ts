import { pick } from '../../support/trial/random.ts'
import type { Concept, Order, Works } from './works.ts'
import { without, type WorksTools } from './works-tools.ts'
import type { Write } from './writer.ts'

/** Rows that are sent in one request. */
const perBulk = 5

/** What a change order of each state can become, and the fields that this needs. */
const ofOrder: Record<string, Array<{ estado: string, [field: string]: string }>> = {
  borrador: [{ estado: 'enviado' }],
  enviado: [{ estado: 'autorizado', fecha_autorizacion: '2026-04-20' }, { estado: 'autorizado', fecha_autorizacion: '2026-04-21' }, { estado: 'borrador' }],
  autorizado: [{ estado: 'firmado', fecha_firma: '2026-05-04' }]
}

const columnsOf = ({ quantity, price }: Pick<Concept, 'quantity' | 'price'>) => ({ cantidad: quantity, precio_unitario: price, importe: quantity * price })

/** Writes of the catalogue and of change orders. */
export function catalogueWrites ({ records, random, mark, on, upTo, some }: WorksTools): Record<string, Write> {
  /** Where a row can be added: a draft change order, or the original catalogue. */
  const open = ({ isClosed, orders }: Works): { order: Order | undefined } | undefined =>
    some([...isClosed ? [] : [{ order: undefined }], ...orders.filter(({ estado }) => estado === 'borrador').map(order => ({ order }))])

  async function addRows (works: Works, count?: number): Promise<boolean> {
    const target = open(works)
    if (target === undefined) return false
    const { order } = target
    const rows = Array.from({ length: count ?? 1 }, () => ({ quantity: 100 + upTo(100), price: upTo(50) }))
    const body = ({ quantity, price }: typeof rows[number], clave: string) => {
      const place = { contract: works.contract, convenio: order?.id ?? null, clave }
      return { ...place, unidad: 'm', cantidad: String(quantity), precio_unitario: String(price) }
    }
    const columns = (row: typeof rows[number]) => ({ contract_id: works.contract, convenio_id: order?.id ?? null, ...columnsOf(row) })
    const ids = count === undefined
      ? [await records.create('conceptos', mark => body(rows[0], mark), () => columns(rows[0]))]
      : await records.createAll('conceptos', rows.map(row => body(row, mark())), index => columns(rows[index]))
    works.concepts.push(...ids.map((id, index): Concept => ({ id, order, ...rows[index] })))
    return true
  }

  return {
    'row of a catalogue': on(async works => await addRows(works)),
    'bulk of rows of a catalogue': on(async works => await addRows(works, perBulk)),
    'update of a row': on(async (works) => {
      const row = some(works.concepts)
      if (row === undefined) return false
      if (!works.canChange(row)) {
        await records.change('conceptos', row.id, { descripcion: mark() })
        return true
      }
      const [quantity, price] = [100 + upTo(100), upTo(50)]
      const body = { cantidad: String(quantity), precio_unitario: String(price) }
      await records.change('conceptos', row.id, body, columnsOf({ quantity, price }))
      Object.assign(row, { quantity, price })
      return true
    }),
    'delete of a row': on(async (works) => {
      const used = new Set(works.estimates.flatMap(({ lines }) => lines.map(({ concept }) => concept)))
      const row = some(works.concepts.filter(row => works.canChange(row) && !used.has(row)))
      if (row === undefined || works.concepts.length < 3) return false
      await records.remove('conceptos', row.id)
      without(works.concepts, row)
      return true
    }),
    'change order': on(async (works) => {
      if (works.orders.filter(({ estado }) => estado === 'borrador').length > 1) return false
      const contract = works.contract
      const id = await records.create('convenios', () => ({ contract }), ({ numero }) => ({ contract_id: contract, numero, dias: 0 }))
      works.orders.push({ id, estado: 'borrador' })
      return true
    }),
    'state of a change order': on(async ({ orders }) => {
      const order = some(orders.filter(({ estado }) => estado !== 'firmado'))
      if (order === undefined) return false
      const next = pick(ofOrder[order.estado], random)
      await records.change('convenios', order.id, next)
      order.estado = next.estado
      return true
    }),
    'delete of a change order': on(async (works) => {
      const order = works.orders.at(-1)
      if (order?.estado !== 'borrador' || works.concepts.some(concept => concept.order === order)) return false
      await records.remove('convenios', order.id)
      works.orders.pop()
      return true
    })
  }
}
