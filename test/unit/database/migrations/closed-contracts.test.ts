import t from 'tap'
import { openTestDatabase } from '../../../support/helper.ts'

t.test('the database enforces closed contracts and currencies for every role, also the superuser', async (t) => {
  const { psql } = await openTestDatabase(t)
  let folios = 0
  const contract = async () => ((await psql('insert into contracts (company_id, folio, monto) values (1, $1, 100) returning id', [`C-${++folios}`]))[0])['id'] as number
  const add = async (id: number, estado = 'borrador') => ((await psql('insert into estimates (company_id, contract_id, monto, estado) values (1, $1, 1, $2) returning id', [id, estado]))[0])['id'] as number
  const close = async (id: number, estado: string) => await psql('update contracts set estado = $2 where id = $1', [id, estado])
  const move = async (id: number, estado: string) => await psql('update estimates set estado = $2 where id = $1', [id, estado])
  const violates = (constraint: string) => ({ code: '23514', constraint })

  await t.test('a closed contract gets no estimate', async (t) => {
    for (const estado of ['terminado', 'cancelado']) {
      const id = await contract()
      await close(id, estado)
      for (const state of ['borrador', 'autorizada', 'cancelada']) await t.rejects(add(id, state), violates('estimates_contract_open'), `${estado} ${state}`)
    }
  })

  await t.test('estimates of a cancelled contract can only be rejected or cancelled; those of a finished one can continue', async (t) => {
    const [finished, cancelled] = [await contract(), await contract()]
    for (const estado of ['terminado', 'cancelado']) {
      const id = estado === 'terminado' ? finished : cancelled
      const made = [await add(id), await add(id, 'enviada'), await add(id, 'autorizada')]
      // From before the rule that a contract with something authorized cannot be cancelled.
      if (estado === 'cancelado') await psql('alter table contracts disable trigger guard_rows_update')
      const [draft, sent, authorized] = made as [number, number, number]
      await close(id, estado)
      await psql('alter table contracts enable trigger guard_rows_update')
      const again = estado === 'terminado' ? [[sent, 'enviada'] as const] : []
      for (const [which, state] of [[draft, 'enviada'], [sent, 'borrador'], ...again, [sent, 'autorizada'], [authorized, 'pagada']] as const) {
        if (estado === 'terminado') t.equal((await move(which, state)).length, 0)
        else await t.rejects(move(which, state), violates('estimates_contract_not_cancelled'), state)
      }
    }
    await t.rejects(psql("update estimates set estado = 'enviada' where contract_id in ($1, $2)", [finished, cancelled]), { code: '23514' })
    await psql("update contracts set descripcion = 'x', estado = 'cancelado' where id = $1", [cancelled])
    await t.rejects(close(finished, 'cancelado'), violates('contracts_transition'))
    await psql("update estimates set estado = 'cancelada' where contract_id = $1 and estado <> 'autorizada'", [cancelled])
    await psql("update estimates set descripcion = 'x', estado = estado where contract_id = $1", [cancelled])
    t.same(await psql('select estado, descripcion from estimates where contract_id = $1 order by numero', [cancelled]), ['cancelada', 'cancelada', 'autorizada'].map(estado => ({ estado, descripcion: 'x' })))
  })

  await t.test('a contract with estimates keeps its currency', async (t) => {
    const id = await contract()
    await psql("update contracts set moneda = 'USD' where id = $1", [id])
    const draft = await add(id)
    await t.rejects(psql("update contracts set moneda = 'EUR' where id = $1", [id]), violates('contracts_currency'))
    await psql("update contracts set moneda = 'USD', descripcion = 'x' where id = $1", [id])
    await move(draft, 'cancelada')
    await psql("update contracts set moneda = 'EUR' where id = $1", [id])
    t.same(await psql('select moneda, descripcion from contracts where id = $1', [id]), [{ moneda: 'EUR', descripcion: 'x' }])
  })
})
