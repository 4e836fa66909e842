import assert from 'node:assert/strict'
import type { Caller } from '../caller.ts'
import { addLines, amountOf, bulkItems, concepts, decimal, paidEstimates, type Site, type SiteEstimate } from './contract.ts'
import { erpBulks, externalId } from './erp.ts'
import type { WorksDone } from './thread.ts'

/** Rows of a page of a report. */
const pageSize = 200

/**
 * Compares all lines, amounts and records with what was acknowledged.
 * @param phases of the works load @throws {AssertionError} if something differs
 */
export async function checkSite (caller: Caller, site: Site, phases: WorksDone[]): Promise<void> {
  for (const { lines } of phases) {
    for (const [phone, own] of lines.entries()) addLines(site.drafts[phone] as SiteEstimate, own)
  }
  const { authorized, passes } = phases.at(-1) as WorksDone
  await checkEstimates(caller, site, authorized)
  await checkReports(caller, site, authorized)
  await checkRecords(caller, site, passes)
}

async function checkEstimates (caller: Caller, { estimates, drafts, prices }: Site, authorized: number): Promise<void> {
  for (const [nth, estimate] of [...estimates, ...drafts].entries()) {
    const { monto, lineas, estado, pagado } = await caller.get(`estimates/${estimate.id}/`)
    const { count } = await caller.get(`generadores/?estimate=${estimate.id}&page_size=1`)
    const isPaid = pagado !== '0.00'
    assert.deepEqual(
      { id: estimate.id, monto, lineas, count, isAuthorized: estado === 'autorizada', isPaid },
      {
        id: estimate.id,
        monto: decimal(amountOf(estimate, prices)),
        lineas: estimate.quantities.size,
        count: estimate.lines,
        isAuthorized: nth < authorized,
        isPaid: nth < paidEstimates
      })
  }
}

async function checkReports (caller: Caller, { contract, estimates, prices }: Site, authorized: number): Promise<void> {
  const counted = estimates.slice(0, authorized)
  const amount = decimal(counted.reduce((sum, estimate) => sum + amountOf(estimate, prices), 0))
  const { monto_estimado: billed, pagado } = await caller.get(`contracts/${contract}/estado-de-cuenta/`)
  const { results: periods } = await caller.get(`contracts/${contract}/avance/?page=last`)
  assert.deepEqual([billed, pagado, periods.at(-1).ejecutado], [amount, decimal(bulkItems * 100), amount])

  const found = new Map<number, string>()
  for (let page = 1; page <= concepts / pageSize; page++) {
    const path = `estimates/${counted.at(-1)?.id}/conceptos/?todos=true&page_size=${pageSize}&page=${page}`
    for (const { concepto, acumulada } of (await caller.get(path)).results) found.set(concepto, acumulada)
  }
  const quantityOf = (id: number) => counted.reduce((sum, { quantities }) => sum + (quantities.get(id) ?? 0), 0)
  assert.deepEqual(found, new Map([...prices.keys()].map(id => [id, `${quantityOf(id)}.0000`])))
}

async function checkRecords (caller: Caller, { contract }: Site, passes: number[]): Promise<void> {
  for (const [index, { resource, values }] of erpBulks.entries()) {
    for (const number of [0, bulkItems - 1]) {
      const { count, results: [record] } = await caller.get(`${resource}/?external_id=${externalId(number)}`)
      const expected = values(passes[index] ?? NaN)
      const fields = Object.fromEntries(Object.keys(expected).map(name => [name, record?.[name]]))
      assert.deepEqual({ count, ...fields }, { count: 1, ...expected })
    }
  }
  const { count } = await caller.get(`pagos/?contract=${contract}&page_size=1`)
  assert.equal(count, bulkItems)
}
