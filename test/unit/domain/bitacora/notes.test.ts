import t from 'tap'
import { assertRefused, body, logBook, sealed } from './log-book.ts'

t.test('notes of the site log', async (t) => {
  const { send, contract, note, signed, psql } = await logBook(t)
  const [coordinador, director] = await Promise.all(['coordinador', 'director'].map(async name =>
    (await psql('select id, nombre from users where email = $1', [`${name}@demo.example`]))[0]))

  await t.test('a draft has an author and no number; the signature sets the number, the signer and the time', async (t) => {
    const of = await contract()
    const draft = await note(of, { tipo: 'apertura', frente: 'Torre A' })
    t.match(draft, { numero: null, estado: 'borrador', firmante: null, firmada_en: null, aceptada_por: null, aceptada_en: null, anulada_por: null })
    t.strictSame(draft['autor'], coordinador)
    const { status, body: note1 } = await send('PATCH', `bitacora/${draft.id}/`, { estado: 'firmada' }, { by: 'director' })
    t.equal(status, 200)
    t.match(note1, { numero: 1, estado: 'firmada', version: 2, aceptada_por: null })
    t.strictSame([note1.autor, note1.firmante], [coordinador, director])
    t.ok(Math.abs(Date.parse(note1.firmada_en) - Date.now()) < 60_000)
    const { body: accepted } = await send('PATCH', `bitacora/${draft.id}/`, { estado: 'aceptada' })
    t.match(accepted, { numero: 1, estado: 'aceptada', firmada_en: note1.firmada_en })
    t.strictSame([accepted.firmante, accepted.aceptada_por], [director, coordinador])
    t.ok(accepted.aceptada_en > accepted.firmada_en)
  })

  await t.test('a signed note is sealed: only its external_id and the acceptance change, and it cannot be deleted', async (t) => {
    const of = await contract()
    const { id } = await signed(of, { tipo: 'apertura' })
    const { body: before } = await send('GET', `bitacora/${id}/`)
    const other = await contract()
    const changes = [
      { asunto: 'Otro' }, { texto: 'Otro' }, { fecha: '2026-03-15' }, { tipo: 'otra' }, { contract: other }, { frente: 'B' }, { responde_a: id },
      { anula: 2_000_000_000 }, { estado: 'borrador' }, { estado: 'aceptada', asunto: 'Otro' }, { external_id: 'X', texto: 'Otro' }
    ]
    for (const change of changes) {
      const { status, body } = await send('PATCH', `bitacora/${id}/`, change, { by: 'director' })
      t.strictSame([status, body], [409, sealed], JSON.stringify(change))
    }
    const { status, body: refused } = await send('DELETE', `bitacora/${id}/`, undefined, { by: 'director' })
    t.strictSame([status, refused], [409, sealed])
    t.strictSame((await send('GET', `bitacora/${id}/`)).body, before)

    const { contract: contractId, frente, asunto, texto, fecha, tipo, estado, responde_a: answered, anula } = before
    const same = await send('PUT', `bitacora/${id}/`, { contract: contractId, frente, asunto, texto, fecha, tipo, estado, responde_a: answered, anula })
    t.strictSame([same.status, same.body], [200, before], 'a PUT of the same values changes nothing')
    t.match(await send('PATCH', `bitacora/${id}/`, { external_id: 'ERP-1' }), { status: 200, body: { external_id: 'ERP-1' } })
    t.match(await send('PATCH', `bitacora/${id}/`, { estado: 'aceptada' }, { by: 'director' }), { status: 200, body: { estado: 'aceptada' } })
    for (const estado of ['firmada', 'borrador']) t.match(await send('PATCH', `bitacora/${id}/`, { estado }), { status: 409, body: sealed })
    const refusal = { code: '23514', constraint: 'bitacora_fixed' }
    for (const change of ["update bitacora set texto = 'Otro'", 'update bitacora set numero = 7', 'delete from bitacora']) {
      await t.rejects(psql(`${change} where id = $1`, [id]), refusal, change)
    }
  })

  await t.test('drafts change and are deleted by level 2; a contract with notes is protected', async (t) => {
    const of = await contract()
    const { id } = await note(of)
    t.match(await send('PATCH', `bitacora/${id}/`, { asunto: 'Otro', tipo: 'minuta', fecha: '2026-03-20' }), { status: 200, body: { asunto: 'Otro', tipo: 'minuta' } })
    assertRefused(t, await send('PATCH', `bitacora/${id}/`, { frente: 'B' }), 'frente', 'immutable')
    t.match(await send('DELETE', `contracts/${of}/`, undefined, { by: 'director' }), { status: 409, body: { code: 'protected', detail: 'This contract cannot be deleted while it has notes of the site log (1).' } })
    t.equal((await send('DELETE', `bitacora/${id}/`)).status, 204)
    t.equal((await send('DELETE', `contracts/${of}/`, undefined, { by: 'director' })).status, 204)
  })

  await t.test('the log begins with its apertura, goes forward in time and ends with its cierre', async (t) => {
    const of = await contract()
    const sign = async (fields: object) => await send('PATCH', `bitacora/${(await note(of, fields)).id}/`, { estado: 'firmada' })
    assertRefused(t, await sign({ tipo: 'informe' }), 'tipo', 'notFirst')
    t.match(await sign({ tipo: 'apertura' }), { status: 200, body: { numero: 1 } })
    assertRefused(t, await sign({ tipo: 'apertura' }), 'tipo', 'notFirst')
    assertRefused(t, await sign({ fecha: '2026-03-13' }), 'fecha', 'beforeLast')
    t.match(await sign({ fecha: '2026-03-14' }), { status: 200, body: { numero: 2 } })
    t.match(await sign({ tipo: 'cierre', fecha: '2026-03-16' }), { status: 200, body: { numero: 3 } })
    assertRefused(t, await sign({ fecha: '2026-03-17' }), 'estado', 'closed')
    t.match(await sign({ tipo: 'apertura', frente: 'B', fecha: '2026-01-01' }), { status: 200, body: { numero: 1 } }, 'another front has a log of its own')
    t.match(await send('POST', 'bitacora/', { contract: of, ...body, estado: 'firmada' }), { status: 400, body: { codes: { estado: ['invalid_transition'] } } })
  })

  await t.test('replies and annulments need a signed note of the contract, annulments also its author', async (t) => {
    const of = await contract()
    const draft = await note(of)
    const opening = await signed(of, { tipo: 'apertura' })
    for (const field of ['responde_a', 'anula']) {
      assertRefused(t, await send('POST', 'bitacora/', { contract: of, ...body, [field]: draft.id }), field, 'notSigned')
      assertRefused(t, await send('POST', 'bitacora/', { contract: await contract(), ...body, [field]: opening.id }), field, 'otherContract')
    }
    assertRefused(t, await send('POST', 'bitacora/', { contract: of, ...body, anula: opening.id }, { by: 'director' }), 'anula', 'notAuthor')
    const other = await contract()
    const [byPsql] = await psql("insert into bitacora (company_id, contract_id, tipo, asunto, texto, fecha) values (1, $1, 'apertura', '', '', '2026-03-14') returning id", [other])
    await psql("update bitacora set estado = 'firmada' where id = $1", [byPsql?.['id']])
    assertRefused(t, await send('POST', 'bitacora/', { contract: other, ...body, anula: byPsql?.['id'] }), 'anula', 'notAuthor', 'no user is the author')
    const reply = await signed(of, { responde_a: opening.id }, 'director')
    const annulment = await note(of, { anula: opening.id })
    const shown = async () => (await send('GET', `bitacora/${opening.id}/`)).body.anulada_por
    t.equal(await shown(), null, 'the annulment is a draft')
    await send('PATCH', `bitacora/${annulment.id}/`, { estado: 'firmada' })
    t.equal(await shown(), annulment.id)

    const ids = async (query: string) => (await send('GET', `bitacora/?contract=${of}&${query}`)).body.results.map(({ id }: { id: number }) => id)
    t.strictSame(await ids(`responde_a=${opening.id}`), [reply.id])
    t.strictSame(await ids('sin_respuesta=true'), [reply.id, annulment.id])
    t.strictSame(await ids('sin_respuesta=false'), [draft.id, opening.id])
    t.strictSame(await ids(`autor=${String(director?.['id'])}`), [reply.id])
    t.strictSame(await ids('autor=null'), [])
    t.strictSame(await ids('ordering=-numero'), [draft.id, annulment.id, reply.id, opening.id])
    t.strictSame(await ids('estado=borrador'), [draft.id])
  })

  await t.test('the signer does not accept the own note', async (t) => {
    const { id } = await signed(await contract(), { tipo: 'apertura' }, 'director')
    assertRefused(t, await send('PATCH', `bitacora/${id}/`, { estado: 'aceptada' }, { by: 'director' }), 'estado', 'ownNote')
    t.match(await send('PATCH', `bitacora/${id}/`, { estado: 'aceptada' }), { status: 200 })
  })

  await t.test('a bulk signs the notes of a log in order', async (t) => {
    const of = await contract()
    const items = ['a', 'b', 'c'].map((external, index) => ({ contract: of, ...body, external_id: `${of}-${external}`, tipo: index === 0 ? 'apertura' : 'informe' }))
    t.equal((await send('POST', 'bitacora/bulk/', { items })).status, 201)
    const signatures = items.map(({ external_id: external }) => ({ external_id: external, estado: 'firmada' }))
    const answer = await send('POST', 'bitacora/bulk/', { items: signatures, upsert: 'external_id' }, { by: 'director' })
    t.equal(answer.status, 201, JSON.stringify(answer.body))
    t.strictSame(answer.body.results.map(({ numero, firmante }: { numero: number, firmante: { id: number } }) => [numero, firmante.id]), [1, 2, 3].map(numero => [numero, director?.['id']]))
    const again = await send('POST', 'bitacora/bulk/', { items: [{ external_id: items[1]?.external_id, asunto: 'Otro' }], upsert: 'external_id' })
    t.match(again, { status: 409, body: { errors: { 'items.0': [String] }, codes: { 'items.0': ['conflict'] } } })
  })
})
