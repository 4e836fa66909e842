import { randomUUID } from 'node:crypto'
import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { None } from '../../../support/none.ts'
import { succeeded } from '../../../support/succeeded.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('an advance that was repaid but not delivered comes back (works-examples.md, 16)', async (t) => {
  const { director, contract, estimate, read, psql } = await estimating(t)
  /** A contract whose first estimate has repaid 70,000.00 of the agreed 100,000.00, and then 60,000.00 are delivered. */
  const overpaid = async () => {
    const of = await contract({ monto: '500000', anticipo_porcentaje: '20', iva_porcentaje: '0' })
    t.match(await estimate(of, { monto: '350000' }, 'autorizada'), { amortizacion: '70000.00', neto: '280000.00' })
    t.match(await estimate(of, { tipo: 'anticipo', anticipo: '60000' }, 'autorizada'), { amortizacion: '0.00', neto: '60000.00', avisos: None })
    return of
  }
  const amountsOf = ({ amortizacion, subtotal, neto, avisos }: Record<string, unknown>) => [amortizacion, subtotal, neto, avisos]
  const comesBack = ['-10000.00', '10000.00', '10000.00', None]
  const given = async (of: number) => (await director.get(`contracts/${of}/estado-de-cuenta/`)).json().anticipo

  await t.test('by the finiquito, and estimates warn of it until then', async (t) => {
    const of = await overpaid()
    const draft = await estimate(of, { monto: '150000' })
    t.same(amountsOf(draft), ['0.00', '150000.00', '150000.00', ['anticipo_excedido']])
    t.same((await read((await estimate(of, { tipo: 'anticipo', anticipo: '1' }, 'cancelada'))['id']))['avisos'], [])
    for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${draft['id']}/`, { estado }))
    t.match(amountsOf(await read(draft['id'])), ['0.00', '150000.00', '150000.00', None])
    const last = await estimate(of, { tipo: 'finiquito' })
    t.same(amountsOf(last), ['-10000.00', '10000.00', '10000.00', ['anticipo_excedido']])
    for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${last['id']}/`, { estado }))
    t.match(amountsOf(await read(last['id'])), comesBack)
    const repaid = { importe: '60000.00', amortizado: '60000.00', por_amortizar: '0.00' }
    t.same(await given(of), repaid)
    t.same((await director.get(`estimates/${last['id']}/caratula/`)).json().anticipo, repaid)
    t.match(await estimate(of, { tipo: 'finiquito' }), { amortizacion: '0.00', avisos: None }, 'a later one gives nothing back')
    const totals = (await director.get(`estimates/?contract=${of}&estado=autorizada&totals=true`)).json().totals.MXN
    t.match(totals, { monto: '500000.00', anticipo: '60000.00', amortizacion: '60000.00', neto: '500000.00' })
    t.same(await wrongSums(psql), [])
  })

  await t.test('not if the rest is delivered before', async (t) => {
    const of = await overpaid()
    await estimate(of, { tipo: 'anticipo', anticipo: '40000' }, 'autorizada')
    t.match(await estimate(of, { monto: '150000' }, 'autorizada'), { amortizacion: '30000.00', neto: '120000.00', avisos: None })
    t.match(await estimate(of, { tipo: 'finiquito' }, 'autorizada'), { amortizacion: '0.00', neto: '0.00', avisos: None })
  })

  await t.test('not without a document, because nobody has said what was delivered', async (t) => {
    const of = await contract({ monto: '1000000', anticipo_porcentaje: '30', iva_porcentaje: '0' })
    t.match(await estimate(of, { monto: '800000' }, 'autorizada'), { amortizacion: '240000.00' })
    succeeded(await director.send('PATCH', `contracts/${of}/`, { anticipo_porcentaje: '10' }))
    const last = await estimate(of, { tipo: 'finiquito' })
    t.match(last, { amortizacion: '0.00', neto: '0.00', avisos: None })
    t.match(await estimate(await overpaid(), { tipo: 'finiquito' }), { amortizacion: '-10000.00' })
  })

  await t.test('in bulks, mutations and psql too', async (t) => {
    const states = ['enviada', 'autorizada']
    const bulk = await overpaid()
    const finiquito = { contract: bulk, tipo: 'finiquito', external_id: `f-${bulk}` }
    await estimate(bulk, finiquito)
    for (const estado of states) succeeded(await director.post('estimates/bulk/', { upsert: 'external_id', items: [{ ...finiquito, estado }] }))
    const mutated = await overpaid()
    const mutations = [
      { op: 'create', resource: 'estimates', ref: 'last', body: { contract: mutated, tipo: 'finiquito' } },
      ...states.map(estado => ({ op: 'update', resource: 'estimates', record: { ref: 'last' }, body: { estado } }))
    ]
    const results = (await director.post('mutations/', { device: randomUUID(), mutations: mutations.map((mutation, index) => ({ id: index + 1, ...mutation })) })).json()
    t.match(results, { results: [{ status: 201 }, { status: 200 }, { status: 200 }] })
    const written = await overpaid()
    await psql("insert into estimates (company_id, contract_id, tipo) values (1, $1, 'finiquito')", [written])
    for (const estado of states) await psql("update estimates set estado = $2 where contract_id = $1 and tipo = 'finiquito'", [written, estado])
    for (const settled of [bulk, mutated, written]) {
      const [{ id }] = (await director.get(`estimates/?contract=${settled}&tipo=finiquito`)).json().results
      t.match(amountsOf(await read(id)), comesBack)
    }
    t.same(await wrongSums(psql), [])
  })

  await t.test('where it settled before, authorized figures stay', async (t) => {
    const of = await overpaid()
    const settled = await estimate(of, { tipo: 'finiquito' }, 'autorizada')
    // As an earlier release has settled it.
    await psql('alter table estimates disable trigger user')
    await psql('update estimates set amortizacion = 0, subtotal = 0, neto = 0 where id = $1', [settled['id']])
    await psql('alter table estimates enable trigger user')
    await psql('update contract_sums set amortizacion = 70000 where contract_id = $1', [of])
    t.match(amountsOf(await read(settled['id'])), ['0.00', '0.00', '0.00', None])
    t.match(await estimate(of, { tipo: 'finiquito' }, 'autorizada'), { amortizacion: '0.00', neto: '0.00', avisos: None })
    t.same(await wrongSums(psql), [])
  })
})
