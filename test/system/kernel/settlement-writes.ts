import { pick } from '../../support/trial/random.ts'
import type { Client } from './client.ts'
import { OwnRecords } from './own-records.ts'
import { record } from './reader.ts'
import type { Company, Own, Write } from './writer.ts'

/** A movement of a draft. A charge is positive, a return negative. */
interface Movement {
  id: number
  amount: number
}

/** A contract on its way to a settlement. */
interface Job {
  contract: number
  periods: number[]
  isAdvanced: boolean
  /** What its paid estimate has taken as penalties; undefined before that. */
  charged: number | undefined
}

/** Amounts of a contract: half of it is billed by an estimate and half by the settlement. Each one repays half of the advance. */
const amounts = { contract: 100_000, advance: 30_000, half: 50_000, repaid: 15_000 }
const mostPeriods = 4

/**
 * Writes of programmes, advances, movements and settlements. Each write takes the present contract to its next stage, or does nothing if the
 * contract is at another one. So every few rounds a contract is settled.
 */
export function settlementWrites (company: Company, client: Client, own: Own): Record<string, Write> {
  const { book, report } = company
  const { random } = client
  const records = new OwnRecords(company, client, own)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  let present: Job | undefined

  /** A write at a stage of the present contract. */
  const at = (isReady: (job: Job) => boolean, work: (job: Job) => Promise<void>): Write => async () => {
    if (present === undefined || !isReady(present)) return undefined
    const { contract } = present
    await work(present)
    return record(contract)
  }

  async function addPeriod ({ contract, periods }: Job): Promise<void> {
    const importe = upTo(900)
    const body = { contract, periodo_inicio: '2026-09-01', periodo_fin: '2026-09-30', importe: `${importe}.00` }
    const columns = { contract_id: contract, convenio_id: null, periodo_inicio: body.periodo_inicio, periodo_fin: body.periodo_fin, importe }
    periods.push(await records.create('programa', () => body, () => columns))
  }

  async function addMovement (contract: number, estimate: number, sentido: string, importe: number): Promise<Movement> {
    const body = { estimate, tipo: 'pena', sentido, antes_iva: false, importe: `${importe}.00` }
    const columns = { estimate_id: estimate, contract_id: contract, tipo: 'pena', sentido, antes_iva: false, importe }
    const id = await records.create('movimientos', motivo => ({ ...body, motivo }), () => columns)
    return { id, amount: sentido === 'cargo' ? importe : -importe }
  }

  /** Creates an estimate. @param values its fields and columns */
  async function bill (contract: number, values: { tipo: string, monto?: number, anticipo?: number }): Promise<number> {
    const { tipo, ...given } = values
    const body = { contract, tipo, ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}.00`])) }
    return await records.create('estimates', () => body, ({ numero }) => ({ contract_id: contract, numero, ...values }))
  }

  /** Sends, authorizes and pays an estimate. */
  async function pay (contract: number, estimate: number, neto: number): Promise<void> {
    await records.change('estimates', estimate, { estado: 'enviada' })
    await records.change('estimates', estimate, { estado: 'autorizada' })
    records.note('estimates', estimate, { neto })
    // In two payments, so that the second one completes the first.
    for (const importe of [upTo(neto - 1), 0]) {
      const amount = importe || neto - Number(records.get('estimates', estimate).fields['pagado'])
      await records.create('pagos', () => ({ estimate, importe: `${amount}.00`, fecha: '2026-04-15' }),
        () => ({ estimate_id: estimate, contract_id: contract, importe: amount }))
      records.note('estimates', estimate, importe === 0 ? { pagado: neto, estado: 'pagada' } : { pagado: amount })
    }
  }

  return {
    async 'contract with a programme' () {
      if (present !== undefined) return undefined
      const monto = `${amounts.contract}.00`
      const done = book.create(1)
      const id = await records.create('contracts', folio => ({ folio, monto, iva_porcentaje: '0', anticipo_porcentaje: '30' }),
        () => ({ monto: amounts.contract, estado: 'vigente' }))
      report.found(done([{ id, folio: records.get('contracts', id).mark, monto }]))
      present = { contract: id, periods: [], isAdvanced: false, charged: undefined }
      await addPeriod(present)
      return record(id)
    },
    'change of a programme': at(() => true, async (job) => {
      const { periods } = job
      if (periods.length < mostPeriods) return await addPeriod(job)
      const id = pick(periods, random)
      const importe = upTo(900)
      await records.change('programa', id, { importe: `${importe}.00` }, { importe })
      const gone = periods.shift() as number
      await records.remove('programa', gone)
    }),
    'paid advance': at(({ isAdvanced }) => !isAdvanced, async (job) => {
      const id = await bill(job.contract, { tipo: 'anticipo', anticipo: amounts.advance })
      await pay(job.contract, id, amounts.advance)
      job.isAdvanced = true
    }),
    'paid estimate with movements': at(({ isAdvanced, charged }) => isAdvanced && charged === undefined, async (job) => {
      const id = await bill(job.contract, { tipo: 'ordinaria', monto: amounts.half })
      const [first, second] = [await addMovement(job.contract, id, 'cargo', upTo(100)), await addMovement(job.contract, id, 'cargo', upTo(100))]
      const importe = upTo(100)
      await records.change('movimientos', first.id, { importe: `${importe}.00` }, { importe })
      await records.remove('movimientos', second.id)
      records.note('estimates', id, { amortizacion: amounts.repaid })
      await pay(job.contract, id, amounts.half - amounts.repaid - importe)
      job.charged = importe
    }),
    settlement: at(({ charged }) => charged !== undefined, async ({ contract, charged }) => {
      const id = await bill(contract, { tipo: 'finiquito', monto: amounts.half })
      const { amount } = await addMovement(contract, id, 'abono', charged as number)
      records.note('estimates', id, { amortizacion: amounts.repaid })
      await pay(contract, id, amounts.half - amounts.repaid - amount)
      records.note('contracts', contract, { estado: 'terminado' })
      present = undefined
    })
  }
}
