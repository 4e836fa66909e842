import fc from 'fast-check'
import t from 'tap'
import { buildSites } from '../../../support/site.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { decimal } from '../../../support/exact.ts'
import type { Outcome } from '../outcome.ts'
import { Model } from './model.ts'
import { catalogue, claves, example, onward, onwardConvenio, step } from './operations.ts'
import type { Convenio, Estimate, Row } from './works.ts'

const money = (cents: bigint) => decimal(cents)
const quantity = (units: bigint) => decimal(units, 4)

t.test('after any operations, contracts, estimates and reports are those of a model of the specification', async (t) => {
  const { server, newSite } = await buildSites(t)
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(catalogue, fc.array(step, { minLength: 20, maxLength: 30 }), async (made, steps) => {
    const convenios: Convenio[] = made.advance.map(conAnticipo => ({ estado: 'borrador', conAnticipo }))
    const rows: Row[] = claves.map((clave, index) => ({ clave, convenio: undefined, cantidad: made.quantities[index], precio: made.prices[index], alzado: made.lump[index] }))
    for (const { convenio, clave, cantidad } of made.added) {
      const [own, original] = [convenios[convenio], rows[clave]]
      if (!rows.some(row => row.convenio === own && row.clave === original.clave)) rows.push({ ...original, convenio: own, cantidad })
    }
    const model = new Model(rows, convenios, made.anticipo, made.retencion)
    const site = await newSite([], { anticipo_porcentaje: decimal(made.anticipo, 2), retencion_porcentaje: decimal(made.retencion, 2) })
    const { client, contract } = site
    const ids = { convenios: [] as number[], estimates: [] as number[], rows: [] as number[] }
    for (const { conAnticipo } of convenios) ids.convenios.push((await client.post('convenios/', { contract, con_anticipo: conAnticipo })).json().id)
    const items = rows.map(({ clave, convenio, cantidad, precio, alzado }) => ({
      contract, clave, unidad: 'm3', cantidad: quantity(cantidad), precio_unitario: decimal(precio, 6, 2), alzado, convenio: convenio === undefined ? null : ids.convenios[convenios.indexOf(convenio)]
    }))
    const catalogued = await client.post('conceptos/bulk/', { items })
    if (catalogued.statusCode !== 201) throw new Error(catalogued.body)
    ids.rows = catalogued.json().results.map(({ id }: { id: number }) => id)
    const lines = new Map<Estimate, number[]>()

    const compare = async (estimate: Estimate) => {
      const id = ids.estimates[estimate.numero - 1]
      const { amortizacion, retencion, subtotal, iva, neto } = model.amounts(estimate)
      const expected = {
        monto: money(model.montoOfEstimate(estimate)),
        lineas: model.rowsOf(estimate).length,
        estado: estimate.estado,
        amortizacion: money(amortizacion),
        retencion: money(retencion),
        subtotal: money(subtotal),
        iva: money(iva),
        neto: money(neto),
        avisos: model.warnings(estimate)
      }
      const read = await site.read(id)
      const found = Object.fromEntries(Object.keys(expected).map(field => [field, read[field]]))
      if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`estimate ${estimate.numero}: ${JSON.stringify(found)}\n not ${JSON.stringify(expected)}`)
      const report = model.report(estimate).map(({ row, anterior, periodo, importeAnterior, importe, vigente, excedente }) => [
        ids.rows[rows.indexOf(row)], decimal(row.precio, 6, 2), quantity(vigente), quantity(anterior), quantity(periodo), quantity(anterior + periodo), quantity(excedente),
        money(importeAnterior), money(importe), money(importeAnterior + importe)])
      const listed = (await site.lines(id)).map(line => [
        line.concepto, line.precio_unitario, line.cantidad_vigente, line.anterior, line.periodo, line.acumulada, line.excedente, line.importe_anterior, line.importe_periodo, line.importe_acumulado])
      if (JSON.stringify(listed) !== JSON.stringify(report)) throw new Error(`report ${estimate.numero}: ${JSON.stringify(listed)}\n not ${JSON.stringify(report)}`)
    }

    for (const { what, which, row: place, measured, given, estado, ofConvenio, price, agreed } of steps) {
      const drafts = model.estimates.filter(one => one.estado === 'borrador')
      const some = ['measure', 'change', 'unmeasure'].includes(what) && drafts.length > 0 && which > 0 ? drafts : model.estimates
      const estimate = some[which % Math.max(1, some.length)]
      const row = rows[place % rows.length]
      const concepto = ids.rows[rows.indexOf(row)]
      const index = convenios[which % 2]
      let expected: Outcome
      let response
      const last = model.estimates.findLast(({ fixed, order }) => fixed !== undefined && order === model.authorized.length)
      if (what === 'create' || estimate === undefined) {
        expected = model.create(given)
        response = await client.post('estimates/', { contract, monto: money(given) })
        ids.estimates.push(response.json().id)
      } else if (what === 'convenio') {
        const to = place % 3 > 0 ? onwardConvenio[index.estado] ?? ofConvenio : ofConvenio
        expected = model.moveConvenio(index, to)
        response = await client.send('PATCH', `convenios/${ids.convenios[convenios.indexOf(index)]}/`, { estado: to, fecha_autorizacion: '2026-03-01', fecha_firma: '2026-03-02' })
      } else if (what === 'reprice') {
        const original = rows[place % 4]
        expected = model.reprice(original, place % 2 === 0 ? agreed : original.cantidad, which % 2 === 0 ? price : original.precio)
        const body = { ...place % 2 === 0 ? { cantidad: quantity(agreed) } : {}, ...which % 2 === 0 ? { precio_unitario: decimal(price, 6, 2) } : {} }
        response = await client.send('PATCH', `conceptos/${ids.rows[place % 4]}/`, body)
      } else {
        const id = ids.estimates[estimate.numero - 1]
        const own = lines.get(estimate) ?? []
        const target = what === 'undo' ? last ?? estimate : estimate
        if (what === 'measure' || ((what === 'change' || what === 'unmeasure') && own.length === 0)) {
          expected = model.measure(estimate, row, measured)
          response = await client.post('generadores/', { estimate: id, concepto, cantidad: quantity(measured) })
          if (response.statusCode === 201) lines.set(estimate, [...own, response.json().id])
        } else if (what === 'change') {
          expected = model.change(estimate, place % own.length, measured)
          response = await client.send('PATCH', `generadores/${own[place % own.length]}/`, { cantidad: quantity(measured) })
        } else if (what === 'unmeasure') {
          expected = model.unmeasure(estimate, place % own.length)
          response = await client.send('DELETE', `generadores/${own[place % own.length]}/`)
          if (response.statusCode === 204) lines.set(estimate, own.toSpliced(place % own.length, 1))
        } else {
          const to = what === 'undo' ? 'enviada' : what === 'onward' ? onward[target.estado] ?? estado : estado
          expected = model.move(target, to)
          response = await site.patch(ids.estimates[target.numero - 1], { estado: to, motivo_rechazo: 'No' })
        }
      }
      const found: Outcome = { status: response.statusCode, wrong: response.statusCode === 400 ? Object.keys(response.json().errors).sort() : [] }
      // Of a change of state that is not allowed, the answer can list further problems.
      if (what === 'convenio' && expected.wrong.every(field => found.wrong.includes(field))) expected = { ...expected, wrong: found.wrong }
      if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${what} ${JSON.stringify(found)} not ${JSON.stringify(expected)}: ${response.body}`)
      const kind = `${what} ${found.status} ${found.wrong.join()}`
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      const shown = (await client.get(`contracts/${contract}/`)).json()
      const [monto, extra, estimado] = [money(model.monto), money(model.extra), money(model.montoEstimado)]
      if (shown.monto !== monto || shown.extra_autorizado !== extra || shown.monto_estimado !== estimado) {
        throw new Error(`contract ${shown.monto} ${shown.extra_autorizado} ${shown.monto_estimado}, not ${monto} ${extra} ${estimado}`)
      }
      if (estimate !== undefined) await compare(estimate)
    }
    for (const estimate of model.estimates) await compare(estimate)
    const concepts = (await client.get(`conceptos/?contract=${contract}&page_size=200`)).json().results
    const sums = concepts.map((one: Record<string, string>) => [one.clave, one.cantidad_vigente, one.cantidad_estimada])
    const wanted = rows.map(row => [row.clave, quantity(model.vigente(row.clave)), quantity(model.estimated(row))])
    if (JSON.stringify(sums) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(sums)}\n not ${JSON.stringify(wanted)}`)
    const wrong = await wrongSums(server.psql)
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
  }), { numRuns: 25, endOnFailure: true, examples: [example] })
  for (const kind of ['measure 201 ', 'measure 409 ', 'onward 200 ', 'onward 400 monto', 'convenio 200 ', 'reprice 200 ', 'reprice 409 ', 'undo 200 ']) t.ok(seen.has(kind), `${kind}: ${seen.get(kind)}`)
})
