import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { currencies } from '../../../../../../src/domain/contracts/resource.ts'
import { build } from '../../../../../support/helper.ts'

interface Planned { parent: number, hundredths: number, moneda: string }

const decimal = (hundredths: number) => (hundredths / 100).toFixed(2)

/** Sums of contracts by currency, in alphabetical order. */
function sums (contracts: Planned[]): Record<string, string> {
  return Object.fromEntries(currencies.toSorted().flatMap((currency) => {
    const of = contracts.filter(({ moneda }) => moneda === currency)
    return of.length === 0 ? [] : [[currency, decimal(of.reduce((sum, { hundredths }) => sum + hundredths, 0))]]
  }))
}

/** A contract's position and its descendants. */
function withAllBelow (all: Planned[], place: number): number[] {
  return [place, ...all.flatMap(({ parent }, below) => parent === place && below !== place ? withAllBelow(all, below) : [])]
}

t.test('sums of subcontracts separate currencies', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')

  t.test('sums are in a single contract and in its tree, but not in lists', async (t) => {
    const made = async (body: object) => (await director.post('contracts/', body)).json()
    const { id: main } = await made({ folio: 'D-1', monto: '100' })
    const { id: dollars } = await made({ folio: 'D-2', monto: '10.50', moneda: 'USD', parent: main })
    await made({ folio: 'D-3', monto: '20', parent: main })
    await made({ folio: 'D-4', monto: '3', parent: dollars, moneda: 'MXN' })
    await made({ folio: 'D-5', monto: '0', parent: main, moneda: 'EUR' })
    t.match((await director.get(`contracts/${main}/`)).json(), { hijos: 3, monto_subcontratado: '20.00', otras_monedas: { USD: '10.50', EUR: '0.00' } })
    t.strictSame((await director.get(`contracts/${main}/?fields=otras_monedas`)).body, '{"otras_monedas":{"EUR":"0.00","USD":"10.50"}}')
    t.strictSame((await director.get(`contracts/${dollars}/?fields=monto_subcontratado,otras_monedas`)).json(), { monto_subcontratado: '0.00', otras_monedas: { MXN: '3.00' } })
    t.notOk('otras_monedas' in (await director.get('contracts/?folio=D-1')).json().results[0])

    const tree = (await director.get(`contracts/${main}/tree/`)).json()
    t.match(tree, { monto_total: '123.00', otras_monedas: { USD: '10.50', EUR: '0.00' }, children: [{ monto_total: '10.50', otras_monedas: { MXN: '3.00' } }, { monto_total: '20.00' }, { monto_total: '0.00' }] })
    t.strictSame(tree.children[1].otras_monedas, {})
    t.strictSame((await director.get(`contracts/${main}/tree/?depth=0`)).json().otras_monedas, tree.otras_monedas, 'at any depth')

    const shown = (await director.get(`contracts/${main}/`)).json()
    const put = await director.send('PUT', `contracts/${main}/`, { ...shown, descripcion: 'x', otras_monedas: { USD: '9.00' } })
    t.match([put.statusCode, put.json()], [200, { descripcion: 'x', otras_monedas: { USD: '10.50', EUR: '0.00' } }], 'the answer of a GET may be sent back')
  })

  t.test('random trees and currencies', async (t) => {
    const planned = fc.array(fc.record({ parent: fc.nat(8), hundredths: fc.nat(100_000), moneda: fc.constantFrom(...currencies) }), { minLength: 1, maxLength: 9 })
    let runs = 0
    await fc.assert(fc.asyncProperty(planned, async (drawn) => {
      const all = drawn.map((contract, place) => ({ ...contract, parent: contract.parent < place ? contract.parent : place }))
      const run = ++runs
      const ids: number[] = []
      for (const [place, { parent, hundredths, moneda }] of all.entries()) {
        const [row] = await psql('insert into contracts (company_id, folio, monto, moneda, parent_id) values (1, $1, $2, $3, $4) returning id', [`P-${run}-${place}`, decimal(hundredths), moneda, parent === place ? null : ids[parent]]) as [Row]
        ids.push(row['id'])
      }
      const look = async (branch: Row): Promise<void> => {
        const place = ids.indexOf(branch['id'])
        const { moneda } = all[place] as Planned
        const below = withAllBelow(all, place)
        const { [moneda]: own, ...others } = { ...sums(below.slice(1).map(one => all[one] as Planned)) }
        const total = sums(below.map(one => all[one] as Planned))[moneda]
        const same = JSON.stringify([branch['monto_total'], branch['otras_monedas']]) === JSON.stringify([total, others])
        if (!same) throw new Error(`${JSON.stringify(branch)} in place of ${total} and ${JSON.stringify(others)}, ${own} of it below`)

        const { [moneda]: direct = '0.00', ...foreign } = sums(all.filter(({ parent }, child) => parent === place && child !== place))
        const { monto_subcontratado: shown, otras_monedas: shownOthers } = (await director.get(`contracts/${branch['id'] as number}/`)).json()
        if (JSON.stringify([shown, shownOthers]) !== JSON.stringify([direct, foreign])) throw new Error(`${shown as string} ${JSON.stringify(shownOthers)} in place of ${direct} ${JSON.stringify(foreign)}`)
        for (const child of branch['children']) await look(child)
      }
      for (const [place, { parent }] of all.entries()) if (parent === place) await look((await director.get(`contracts/${ids[place]}/tree/`)).json())
    }), { numRuns: 12 })
    t.end()
  })
})
