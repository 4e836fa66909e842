import { randomUUID } from 'node:crypto'
import { created, repeat } from './attack-requests.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

const unknownFields = (index: number) => Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`f${index}-${field}`, 1]))
const list = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index))

/** A contract with a draft estimate. @returns their ids */
async function draftEstimate ({ origin, tokens: [token] }: AttackTarget): Promise<{ contract: number, estimate: number }> {
  const contract = await created(origin, token, 'contracts/', { folio: `N-${process.hrtime.bigint()}`, monto: '1000000.00' })
  return { contract, estimate: await created(origin, token, 'estimates/', { contract, monto: '1000.00' }) }
}

/** Attacks with bodies that are refused. */
export const inputAttacks: readonly Attack[] = [
  {
    name: 'unknown-fields',
    about: 'bulks of 1,000 items with 60 unknown fields each, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = JSON.stringify({ items: list(1000, unknownFields) })
      return await repeat(origin, 2, ending, () => ({ path: 'contracts/bulk/', token, body }))
    }
  },
  {
    name: 'long-texts',
    about: 'bulks of 15 MB of texts that are too long, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = JSON.stringify({ items: list(1000, () => ({ folio: 'x'.repeat(15_000) })) })
      return await repeat(origin, 2, ending, () => ({ path: 'contracts/bulk/', token, body }))
    }
  },
  {
    name: 'refused-mutations',
    about: '200 mutations with 60 unknown fields each, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const mutations = list(200, index => ({ id: index + 1, op: 'create', resource: 'contracts', body: unknownFields(index) }))
      return await repeat(origin, 2, ending, () => ({ path: 'mutations/', token, body: JSON.stringify({ device: randomUUID(), mutations }) }))
    }
  },
  {
    name: 'long-text',
    about: 'mutations with one text of 4 MB, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = JSON.stringify({ device: randomUUID(), mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: 'x'.repeat(4_000_000) } }] })
      return await repeat(origin, 2, ending, () => ({ path: 'mutations/', token, body }))
    }
  },
  {
    name: 'refused-movements',
    about: 'bulks of 400 movimientos that are all refused, 1 connection',
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const { estimate } = await draftEstimate(target)
      // No earlier estimate has taken anything that a return could give back.
      const item = { estimate, tipo: 'retencion', sentido: 'abono', motivo: 'devolución', antes_iva: true, importe: '1.00' }
      const body = JSON.stringify({ items: list(400, () => item) })
      return await repeat(origin, 1, ending, () => ({ path: 'movimientos/bulk/', token, body }))
    }
  },
  {
    name: 'refused-catalogues',
    about: 'catalogues of 5,000 concepts with one that is refused, 1 connection',
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const { contract } = await draftEstimate(target)
      const items = list(4999, index => ({ contract, clave: `K-${index}`, descripcion: 'Muro de block', unidad: 'm2', cantidad: '1', precio_unitario: '1' }))
      // It repeats the first one.
      const body = JSON.stringify({ items: [...items, items[0]] })
      return await repeat(origin, 1, ending, () => ({ path: 'conceptos/bulk/', token, body }))
    }
  }
]
