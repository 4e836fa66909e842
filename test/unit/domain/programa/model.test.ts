import fc from 'fast-check'
import t from 'tap'
import { parse } from 'csv-parse/sync'
import { agreeing } from '../../../support/agreeing.ts'
import { decimal, rounded } from '../../../support/exact.ts'

/** Cents, also of large amounts, but not zero. */
const cents = fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }).filter(amount => amount !== 0n)
/** Days of a month, from 0. Few of them, so that some meet. */
const day = fc.nat(11)
const dayOf = (number: number) => new Date(Date.UTC(2026, 0, 1 + number * 3)).toISOString().slice(0, 10)

/** Rows of the programme, of the original one or of a change order: one that is signed, or one that waits. */
const rows = fc.array(fc.record({ end: day, days: fc.nat(40), amount: cents, of: fc.constantFrom('original', 'original', 'signed', 'waiting') }), { maxLength: 12 })
/** Estimates, with a period or only with the day of their creation. */
const estimates = fc.array(fc.record({ day, amount: fc.bigInt({ min: 0n, max: 10n ** 10n }), hasPeriod: fc.boolean(), isAuthorized: fc.boolean() }), { maxLength: 8 })

t.test('planned and executed amounts are the sums of a model', async (t) => {
  const { director, contract, convenio, to, get, psql } = await agreeing(t)

  await fc.assert(fc.asyncProperty(rows, estimates, fc.bigInt({ min: 10n ** 12n, max: 10n ** 14n }), async (planned, executed, monto) => {
    const id = await contract({ monto: decimal(monto) })
    const signed = (await convenio(id, { dias: 0 }))['id']
    const waiting = (await convenio(id))['id']
    const convenios: Record<string, number | null> = { original: null, signed, waiting }
    const items = planned.map(({ end, days, amount, of }) => ({ contract: id, convenio: convenios[of], periodo_inicio: new Date(Date.parse(dayOf(end)) - days * 86_400_000).toISOString().slice(0, 10), periodo_fin: dayOf(end), importe: decimal(amount) }))
    if (items.length > 0) t.equal((await director.post('programa/bulk/', { items })).statusCode, 201)
    for (const estado of ['enviado', 'autorizado', 'firmado']) t.equal((await to(signed, estado)).statusCode, 200)
    // Periods of estimates do not overlap.
    const days = new Set<number>()
    for (const one of executed) {
      const hasPeriod = one.hasPeriod && !days.has(one.day)
      days.add(one.day)
      const period = hasPeriod ? dayOf(one.day) : null
      await psql('insert into estimates (company_id, contract_id, monto, estado, periodo_inicio, periodo_fin, created_at) select company_id, id, $2, $3, $4::date, $4::date, $5::timestamptz from contracts where id = $1',
        [id, decimal(one.amount), one.isAuthorized ? 'autorizada' : 'enviada', period, `${dayOf(one.day)}T23:59:59.999999Z`])
    }

    const changes = [
      ...planned.filter(({ of }) => of !== 'waiting').map(({ end, amount }) => ({ day: end, planned: amount, executed: 0n })),
      ...executed.filter(({ isAuthorized, amount }) => isAuthorized && amount !== 0n).map(({ day, amount }) => ({ day, planned: 0n, executed: amount }))
    ]
    const expected = [...new Set(changes.map(({ day }) => day))].sort((a, b) => a - b).map((day) => {
      const until = changes.filter(change => change.day <= day)
      const [programado, ejecutado] = [until.reduce((sum, { planned }) => sum + planned, 0n), until.reduce((sum, { executed }) => sum + executed, 0n)]
      const percentage = (amount: bigint) => decimal(rounded(amount * 10_000n, monto))
      return { hasta: dayOf(day), programado: decimal(programado), ejecutado: decimal(ejecutado), porcentaje_programado: percentage(programado), porcentaje_ejecutado: percentage(ejecutado) }
    })
    const { count, results } = await get(`contracts/${id}/avance/?page_size=200`)
    t.strictSame({ count, results }, { count: expected.length, results: expected })
    const pages: object[] = []
    for (let url: string | null = `contracts/${id}/avance/?page_size=2`; url !== null;) {
      const page: { results: object[], next: string | null } = (await director.get(url)).json()
      pages.push(...page.results)
      url = page.next === null ? null : `contracts/${id}/avance/${new URL(page.next).search}`
    }
    t.strictSame(pages, expected, 'the pages')
    const csv = await director.get(`contracts/${id}/avance/`, { accept: 'text/csv' })
    t.strictSame(parse(csv.body, { bom: true, columns: true }), expected, 'as CSV')
    t.equal((await director.get(`contracts/${id}/avance/`, { accept: 'image/svg+xml' })).statusCode, 200)
  }), { numRuns: 25 })
})
