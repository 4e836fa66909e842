import t from 'tap'
import { assertRefused, body, logBook } from './log-book.ts'

t.test('concurrent signatures', async (t) => {
  const { send, contract, note, signed, psql } = await logBook(t)
  const [{ ids } = { ids: {} }] = await psql("select jsonb_object_agg(split_part(email, '@', 1), id) as ids from users where email like '%@demo.example'")

  await t.test('have numbers without gaps, each with its own signer', async (t) => {
    const of = await contract()
    await signed(of, { tipo: 'apertura' })
    const by = (index: number) => index % 2 === 0 ? 'director' : 'coordinador'
    const drafts = await Promise.all(Array.from({ length: 12 }, async (_, index) => await note(of, {}, by(index))))
    t.strictSame(drafts.map(({ autor }) => autor.id), drafts.map((_, index) => ids[by(index)]))
    const answers = await Promise.all(drafts.map(async ({ id }, index) => {
      return await send('PATCH', `bitacora/${id}/`, { estado: 'firmada' }, { by: by(index + 1), server: index })
    }))
    t.strictSame(answers.map(({ status, body }) => [status, body.firmante?.id]), answers.map((_, index) => [200, ids[by(index + 1)]]))
    t.strictSame(answers.map(({ body }) => body.numero).sort((a, b) => a - b), Array.from({ length: 12 }, (_, index) => index + 2))
    t.strictSame((await psql('select numero from bitacora where contract_id = $1 order by firmada_en', [of])).map(({ numero }) => numero), Array.from({ length: 13 }, (_, index) => index + 1))
  })

  await t.test('of one note: one wins, and the others change nothing', async (t) => {
    const of = await contract()
    const { id } = await note(of, { tipo: 'apertura' })
    const answers = await Promise.all(Array.from({ length: 6 }, async (_, index) => await send('PATCH', `bitacora/${id}/`, { estado: 'firmada' }, { by: index % 2 === 0 ? 'director' : 'coordinador', server: index })))
    t.ok(answers.every(({ status, body }) => status === 200 && body.numero === 1 && body.version === 2))
    t.equal(new Set(answers.map(({ body }) => body.firmante.id)).size, 1)
  })

  await t.test('of four aperturas: one wins', async (t) => {
    const of = await contract()
    const drafts = await Promise.all(Array.from({ length: 4 }, async () => (await note(of, { tipo: 'apertura' })).id))
    const answers = await Promise.all(drafts.map(async (id, index) => await send('PATCH', `bitacora/${id}/`, { estado: 'firmada' }, { server: index })))
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
    for (const answer of answers) if (answer.status === 400) assertRefused(t, answer, 'tipo', 'notFirst')
  })

  await t.test('with an edit: the signed text is the one before or after the edit, and never changes', async (t) => {
    for (let round = 0; round < 6; round++) {
      const { id } = await note(await contract(), { tipo: 'apertura' })
      const [signature, edit] = await Promise.all([send('PATCH', `bitacora/${id}/`, { estado: 'firmada' }), send('PATCH', `bitacora/${id}/`, { texto: 'Otro' }, { server: 1 })])
      t.equal(signature.status, 200)
      const { body: last } = await send('GET', `bitacora/${id}/`)
      t.ok(edit.status === 200 ? last.texto === 'Otro' : edit.status === 409 && last.texto === body.texto, String(edit.status))
    }
  })
})
