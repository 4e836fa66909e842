import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made, traces } from './samples.ts'

t.test('estimates in bulk', async (t) => {
  const server = await build(t)
  const [director, coordinador] = await Promise.all([server.as('director@demo.example'), server.as('coordinador@demo.example')])
  let folio = 0
  const contractOf = async (values = {}) => (await made(director, 'contracts', { folio: `E-${++folio}`, monto: '1000.00', iva_porcentaje: '16', ...values }))['id'] as number
  const bulk = async (items: unknown[], client = director) => await client.post('estimates/bulk/', { items })
  const upsert = async (items: unknown[], client = director) => await client.post('estimates/bulk/', { items, upsert: 'external_id' })
  /** Creates estimates of a contract in this state, with their external ids. */
  const inState = async (contract: number, names: string[], estado: string, values = {}) => {
    const items = names.map(name => ({ contract, external_id: name, monto: '100.00', ...values }))
    t.equal((await bulk(items)).statusCode, 201)
    for (const state of { borrador: [], enviada: ['enviada'], autorizada: ['enviada', 'autorizada'] }[estado] as string[]) {
      t.equal((await upsert(items.map(item => ({ ...item, estado: state })))).statusCode, 201)
    }
    return items
  }

  t.test('are numbered per contract in the order of the items, without gaps after a refusal', async (t) => {
    const [one, two] = [await contractOf(), await contractOf()]
    await made(director, 'estimates', { contract: two })
    const items = [one, two, one, two, one].map(contract => ({ contract, monto: '10.00' }))
    t.equal((await bulk([...items, { contract: one, monto: 'x' }])).statusCode, 400)
    const { results } = (await bulk(items)).json()
    t.strictSame(results.map((record: { numero: number }) => record.numero), [1, 2, 2, 3, 3])
    t.strictSame(results.map((record: { monto_acumulado: string }) => record.monto_acumulado), ['10.00', '10.00', '20.00', '20.00', '30.00'])
    t.equal((await bulk([{ contract: one }])).json().results[0].numero, 4)
  })

  t.test('cannot be authorized, rejected or paid by a coordinador, whatever else the request contains', async (t) => {
    const contract = await contractOf()
    const [sent] = await inState(contract, ['c1'], 'enviada')
    const [draft] = await inState(contract, ['c2'], 'borrador')
    const [settled] = await inState(contract, ['c3'], 'autorizada')
    const before = await traces(server)
    for (const estado of ['autorizada', 'rechazada', 'pagada']) {
      for (const items of [[{ ...sent, estado }], [{ ...draft, descripcion: 'x' }, { ...sent, estado, motivo_rechazo: 'no' }], [{ ...draft, monto: 'x' }, { ...settled, monto: '1.00' }, { ...sent, estado }]]) {
        const response = await upsert(items, coordinador)
        t.equal(response.statusCode, 403, estado)
        t.strictSame(response.json(), { detail: 'You do not have permission to perform this action.', code: 'permission_denied' })
      }
    }
    t.equal(await traces(server), before)
    t.equal((await upsert([{ ...settled, estado: 'autorizada', descripcion: 'nota' }], coordinador)).statusCode, 201, 'an unchanged state is permitted')
    t.equal((await upsert([{ ...draft, estado: 'enviada' }], coordinador)).statusCode, 201)
    t.strictSame((await upsert([{ contract, external_id: 'nueva', estado: 'autorizada' }], coordinador)).json().errors, { 'items.0.estado': ['A new record must start as "borrador".'] })
  })

  t.test('whose state forbids the change are 409, after all 400 errors', async (t) => {
    const contract = await contractOf()
    const [settled] = await inState(contract, ['k1'], 'autorizada')
    const [draft] = await inState(contract, ['k2'], 'borrador')
    const [sent] = await inState(contract, ['k3'], 'enviada')
    const before = await traces(server)
    const conflict = await upsert([{ ...draft, descripcion: 'x' }, { ...settled, monto: '1.00' }, { ...sent, deductivas: '1.00' }])
    const detail = 'Amounts, period and generadores can only be changed while the estimate is a "borrador".'
    t.equal(conflict.statusCode, 409)
    t.strictSame(conflict.json(), { detail, code: 'conflict', errors: { 'items.1': [detail], 'items.2': [detail] }, codes: { 'items.1': ['conflict'], 'items.2': ['conflict'] } })
    t.strictSame((await upsert([{ ...settled, monto: '1.00' }, { ...draft, monto: '1.005' }])).json().errors, { 'items.1.monto': ['Ensure that there are no more than 2 decimal places.'] })
    t.equal(await traces(server), before)
  })

  t.test('keep their contract, and a closed one gets no new estimate', async (t) => {
    const [contract, other] = [await contractOf(), await contractOf()]
    const [draft] = await inState(contract, ['f1'], 'borrador')
    t.strictSame((await upsert([{ ...draft, contract: other }])).json().errors, { 'items.0.contract': ['This field cannot be changed.'] })
    await director.send('PATCH', `contracts/${contract}/`, { estado: 'terminado' })
    t.strictSame((await upsert([{ ...draft, descripcion: 'se puede' }, { contract, external_id: 'f2' }])).json().errors, { 'items.1.contract': ['This contract is closed. A "terminado" contract accepts only a finiquito.'] })
  })
})
