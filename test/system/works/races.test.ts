import t, { type Test } from 'tap'
import { server } from '../../support/template.ts'
import { brokenRules } from '../kernel/rules.ts'
import { site, type Reply, type Site } from './site.ts'

/** Rounds of each race, fewer in one process. Every other round sends its requests in the opposite order. */
const rounds = server === undefined ? 6 : 12

const statuses = (replies: Reply[]) => replies.map(({ status }) => status)
const outcome = (replies: Reply[]) => statuses(replies).join()

const authorization = (id: number) => ['PATCH', `estimates/${id}/`, { estado: 'autorizada' }] as const

/** Repeats a race, and checks after all rounds that sums, log, history and ceilings are those of the rows. */
async function race (t: Test, name: string, one: (t: Test, site: Site, round: number) => Promise<string | undefined>): Promise<void> {
  await t.test(name, async (t) => {
    const seen = new Set<string | undefined>()
    for (let round = 0; round < rounds; round++) seen.add(await one(t, works, round))
    t.comment([...seen].join('; '))
    t.strictSame(await brokenRules(works.psql), [])
  })
}

const works = await site(t)

t.test('concurrent requests at two servers', async (t) => {
  await race(t, 'two phones that add, change and remove lines all succeed, and the amount is that of the lines', async (t, site) => {
    const { both, contract, estimate, send, lines } = site
    const { concepts: [beam, wall] } = await contract([['100000', '10'], ['100000', '7']])
    const { id } = await estimate(0)
    const line = (concepto: number, cantidad: string) => ({ estimate: id, concepto, cantidad })
    const phone = async (server: number) => {
      const one = await send(server, 'POST', 'generadores/', line(beam, '1'))
      const bulk = await send(server, 'POST', 'generadores/bulk/', { items: [line(beam, '2'), line(wall, '3'), line(wall, '4')] })
      const last = await send(server, 'POST', 'generadores/', line(wall, '5'))
      const changed = await send(server, 'PATCH', `generadores/${one.body.id}/`, { cantidad: '6' })
      const [removed, ...rest] = bulk.body.results.map(({ id }: { id: number }) => id)
      const gone = await send(server, 'DELETE', `generadores/${removed}/`)
      return { replies: [one, bulk, last, changed, gone], kept: [one.body.id, ...rest, last.body.id] }
    }
    const phones = await both(phone)
    t.equal(outcome(phones.flatMap(({ replies }) => replies)), '201,201,201,200,204,201,201,201,200,204')
    const kept = phones.flatMap(({ kept }) => kept)
    t.strictSame((await lines(id)).map(({ id }) => id), kept.sort((a, b) => a - b), 'exactly the acknowledged lines')
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, { monto: '288.00', lineas: 2 })
    return undefined
  })

  await race(t, 'sending with If-Match against a line: never both, and sending without it refuses or includes the line', async (t, site, round) => {
    const { atOnce, contract, estimate, send, lines } = site
    const { concepts: [beam] } = await contract([['1000', '10']])
    const { id } = await estimate(0, [beam, '1'])
    const { headers } = await send(0, 'GET', `estimates/${id}/`)
    const [first] = await lines(id)
    const isGuarded = round % 4 > 0
    const edits: Array<{ edit: [string, string, object?], monto: string }> = [
      { edit: ['POST', 'generadores/', { estimate: id, concepto: beam, cantidad: '1' }], monto: '20.00' },
      { edit: ['PATCH', `generadores/${first.id}/`, { cantidad: '3' }], monto: '30.00' },
      { edit: ['DELETE', `generadores/${first.id}/`], monto: '0.00' }
    ]
    const { edit, monto } = edits[round % 3]
    const guard: Record<string, string> = isGuarded ? { 'if-match': headers['etag'] } : {}
    const [sent, edited] = await atOnce(round, ['PATCH', `estimates/${id}/`, { estado: 'enviada' }, guard], edit)
    const isDone = edited.status < 300
    t.equal(sent.status, isGuarded && isDone ? 412 : 200)
    if (!isDone) t.match([edited.status, edited.body.code], [409, 'conflict'])
    const estado = sent.status === 200 ? 'enviada' : 'borrador'
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, { monto: isDone ? monto : '10.00', estado })
    return outcome([sent, edited])
  })

  await race(t, 'an authorization against the return to a draft and a line there: the amount is that of the lines', async (t, site, round) => {
    const { contract, estimate, send } = site
    const { concepts: [beam] } = await contract([['1000', '10']])
    const { id } = await estimate(0, [beam, '1'], 'enviada')
    const edit = async (server: number) => [
      await send(server, 'PATCH', `estimates/${id}/`, { estado: 'borrador' }),
      await send(server, 'POST', 'generadores/', { estimate: id, concepto: beam, cantidad: '1' })
    ]
    const [authorized, [returned, added]] = await Promise.all([
      send(round % 2, 'PATCH', `estimates/${id}/`, { estado: 'autorizada' }),
      edit(1 - round % 2)
    ])
    const isAuthorized = authorized.status === 200
    t.strictSame([returned.status, added.status], isAuthorized ? [400, 409] : [200, 201], `${authorized.status}`)
    const expected = isAuthorized ? { estado: 'autorizada', monto: '10.00' } : { estado: 'borrador', monto: '20.00' }
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, expected)
    return outcome([authorized, returned, added])
  })

  await race(t, 'an authorization against a new price: the price is refused or included', async (t, site, round) => {
    const { atOnce, contract, estimate, send } = site
    const { id: of, concepts: [beam] } = await contract([['1000', '10']])
    const { id } = await estimate(0, [beam, '3'], 'enviada')
    const price = ['PATCH', `conceptos/${beam}/`, { precio_unitario: '20' }] as const
    const [authorized, priced] = await atOnce(round, authorization(id), price)
    t.equal(authorized.status, 200)
    const isPriced = priced.status === 200
    if (!isPriced) t.match([priced.status, priced.body.code], [409, 'conflict'])
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, { monto: isPriced ? '60.00' : '30.00', neto: isPriced ? '60.00' : '30.00' })
    t.match((await send(0, 'GET', `contracts/${of}/`)).body, { monto: isPriced ? '20000.00' : '10000.00' })
    return outcome([authorized, priced])
  })

  await race(t, 'two authorizations at the ceiling, or at the quantity of a lump sum: one succeeds', async (t, site, round) => {
    const { atOnce, contract, estimate, send } = site
    const isLump = round % 2 === 0
    const { id: of, concepts: [lump] } = isLump ? await contract([['10', '10', true], ['1000', '10']]) : await contract([], '100.00')
    const claim = async (server: number) => await estimate(server, isLump ? [lump, '6'] : '60.00', 'enviada')
    const [one, other] = [await claim(0), await claim(1)]
    const replies = await atOnce(round, authorization(one.id), authorization(other.id))
    t.strictSame(statuses(replies).sort(), [200, 400])
    t.strictSame(Object.keys(replies.find(({ status }) => status === 400)?.body.errors), [isLump ? 'estado' : 'monto'])
    t.match((await send(0, 'GET', `contracts/${of}/`)).body, { monto_estimado: '60.00' })
    return outcome(replies)
  })

  await race(t, 'the authorization of extra work against its signature: both succeed; against its cancellation: one', async (t, site, round) => {
    const { atOnce, contract, order, estimate, send } = site
    const { id: of } = await contract([['10', '10']])
    const hasRows = round % 4 < 2
    const { id: extra, row = 0 } = await order(of, hasRows ? ['5', '10'] : '50.00')
    const { id } = await estimate(0, hasRows ? [row, '5'] : '150.00', 'enviada')
    const isSigned = round % 2 === 0
    const next = isSigned ? { estado: 'firmado', fecha_firma: '2026-05-04' } : { estado: 'cancelado' }
    const replies = await atOnce(round, authorization(id), ['PATCH', `convenios/${extra}/`, next])
    if (isSigned) t.strictSame(statuses(replies), [200, 200])
    else t.strictSame(statuses(replies).sort(), [200, 400])
    const { monto, monto_estimado: used, extra_autorizado: left } = (await send(0, 'GET', `contracts/${of}/`)).body
    t.equal(monto, isSigned ? '150.00' : '100.00')
    t.ok(Number(used) <= Number(monto) + Number(left), `${used} of ${monto} and ${left}`)
    return outcome(replies)
  })

  await race(t, 'the signature of a reduction against the authorization of what it reduces: one succeeds', async (t, site, round) => {
    const { atOnce, contract, order, estimate, send } = site
    const { id: of, concepts: [beam], claves: [clave] } = await contract([['10', '10']])
    const hasRows = round % 2 === 0
    const { id: reduction } = await order(of, hasRows ? ['-5', '10', clave] : '-50.00')
    const { id } = await estimate(0, hasRows ? [beam, '6'] : '60.00', 'enviada')
    const signature = { estado: 'firmado', fecha_firma: '2026-05-04' }
    const replies = await atOnce(round, authorization(id), ['PATCH', `convenios/${reduction}/`, signature])
    t.strictSame(statuses(replies).sort(), [200, 400])
    const isAuthorized = replies[0].status === 200
    const expected = isAuthorized ? { monto: '100.00', monto_estimado: '60.00' } : { monto: '50.00', monto_estimado: '0.00' }
    t.match((await send(0, 'GET', `contracts/${of}/`)).body, expected)
    return outcome(replies)
  })

  await race(t, 'a finiquito against another one, or an estimate: no estimate follows a finiquito', async (t, site, round) => {
    const { atOnce, contract, send } = site
    const { id: of } = await contract([], '100.00')
    const other = round % 4 < 2 ? 'finiquito' : 'ordinaria'
    const create = (tipo: string) => ['POST', 'estimates/', { contract: of, tipo }] as const
    const replies = await atOnce(round, create('finiquito'), create(other))
    const [finiquito, second] = replies
    const refused = replies.find(({ status }) => status === 400)
    if (other === 'finiquito') t.strictSame(statuses(replies).sort(), [201, 400])
    else t.equal(finiquito.status, 201)
    if (refused === undefined) t.ok(second.body.id < finiquito.body.id)
    else t.match(refused.body.codes, { contract: ['finiquito_exists'] })
    const { results } = (await send(0, 'GET', `estimates/?contract=${of}&ordering=id`)).body
    t.equal(results.at(-1).tipo, 'finiquito')
    return outcome(replies)
  })

  await race(t, 'the authorization of a finiquito against what it waits for, or refuses: the contract is settled as it is then', async (t, site, round) => {
    const { atOnce, contract, estimate, send } = site
    const { id: of } = await contract([], '100.00')
    const rejected = await estimate(0, '10.00', 'enviada')
    await send(0, 'PATCH', `estimates/${rejected.id}/`, { estado: 'rechazada', motivo_rechazo: 'No' })
    const { id: order } = (await send(0, 'POST', 'convenios/', { contract: of, monto: '5' })).body
    await send(0, 'PATCH', `convenios/${order}/`, { estado: 'enviado' })
    const authorized = { estado: 'autorizado', fecha_autorizacion: '2026-05-01' }
    const isSigned = round % 4 === 3
    if (isSigned) await send(0, 'PATCH', `convenios/${order}/`, authorized)
    const { id } = (await send(0, 'POST', 'estimates/', { contract: of, tipo: 'finiquito', monto: '5' })).body
    await send(0, 'PATCH', `estimates/${id}/`, { estado: 'enviada' })
    const others: Array<[string, string, object]> = [
      ['PATCH', `estimates/${rejected.id}/`, { estado: 'borrador' }],
      ['PATCH', `convenios/${order}/`, authorized],
      ['POST', 'conceptos/', { contract: of, clave: 'A', unidad: 'm', cantidad: '100', precio_unitario: '1' }],
      ['PATCH', `convenios/${order}/`, { estado: 'firmado', fecha_firma: '2026-05-02' }]
    ]
    const replies = await atOnce(Math.floor(round / 4), authorization(id), others[round % 4])
    const [settlement, other] = replies
    const isSettled = settlement.status === 200
    // A signature is what the finiquito waits for. A concept can come before it.
    if (isSigned) t.equal(other.status, 200)
    else if (round % 4 === 2) t.ok(isSettled)
    else t.strictSame(statuses(replies).sort(), [200, 400])
    if (!isSettled) t.match(settlement.body.codes, { estado: ['pending'] })
    if (other.status >= 300) t.match(Object.values(other.body.codes).flat(), ['contract_closed'])
    t.equal((await send(0, 'GET', `contracts/${of}/`)).body.estado, isSettled ? 'terminado' : 'vigente')
    return outcome(replies)
  })

  await race(t, 'advance documents that are together above the agreed advance: one is authorized, and work repays it', async (t, site, round) => {
    const { atOnce, contract, estimate, send } = site
    const { id: of } = await contract([], '100.00')
    await send(0, 'PATCH', `contracts/${of}/`, { anticipo_porcentaje: '30' })
    const document = async () => {
      const { id } = (await send(0, 'POST', 'estimates/', { contract: of, tipo: 'anticipo', anticipo: '20' })).body
      await send(0, 'PATCH', `estimates/${id}/`, { estado: 'enviada' })
      return id as number
    }
    const replies = await atOnce(round, authorization(await document()), authorization(await document()))
    t.strictSame(statuses(replies).sort(), [200, 400])
    t.match(replies.find(({ status }) => status === 400)?.body.codes, { anticipo: ['exceeds_advance'] })
    const { id } = await estimate(0, '100.00', 'autorizada')
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, { amortizacion: '20.00' })
    return outcome(replies)
  })

  await race(t, 'two payments of the rest: one succeeds', async (t, site, round) => {
    const { atOnce, contract, estimate, send } = site
    await contract([], '100.00')
    const { id } = await estimate(0, '100.00', 'autorizada')
    const pay = (importe: string) => ['POST', 'pagos/', { estimate: id, importe, fecha: '2026-04-15' }] as const
    const first = (await send(0, ...pay('40'))).body
    const isPatch = round % 3 === 2
    const replies = await atOnce(round, [...pay('60')], isPatch ? ['PATCH', `estimates/${id}/`, { estado: 'pagada' }] : [...pay('60')])
    // A change to the present state is no change.
    if (isPatch) t.ok(['201,200', '400,200'].includes(outcome(replies)), outcome(replies))
    else t.strictSame(statuses(replies).sort(), [201, 400])
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, { estado: 'pagada', pagado: '100.00', por_pagar: '0.00' })
    const again = await atOnce(round, ['DELETE', `pagos/${first.id}/`], [...pay('40')])
    t.equal(again[0].status, 204)
    const isPaid = again[1].status === 201
    const expected = isPaid ? { estado: 'pagada', pagado: '100.00' } : { estado: 'autorizada', pagado: '60.00' }
    t.match((await send(0, 'GET', `estimates/${id}/`)).body, expected)
    return `${outcome(replies)} ${outcome(again)}`
  })
})
