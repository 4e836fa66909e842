import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('ETags of estimates', async (t) => {
  const { director, contract, estimate, change, read } = await estimating(t)
  const id = await contract({ anticipo_porcentaje: '10' })
  const { id: made } = await estimate(id, { monto: '500' }) as { id: number }
  const url = `estimates/${made}/`
  const tagOf = async (url: string) => (await director.get(url)).headers.etag as string

  await t.test('change with everything in the answer, also the contract and its other estimates', async (t) => {
    const writes: Record<string, () => Promise<unknown>> = {
      'the estimate': async () => await change(made, { descripcion: 'Otra' }),
      'its contract’s monto': async () => await director.send('PATCH', `contracts/${id}/`, { monto: '450' }),
      'its contract’s folio': async () => await director.send('PATCH', `contracts/${id}/`, { folio: 'RENOMBRADO' }),
      'another estimate of the contract': async () => await estimate(id, { monto: '300' }, 'autorizada')
    }
    for (const [name, write] of Object.entries(writes)) {
      const [tag, listTag, before] = [await tagOf(url), await tagOf('estimates/'), await read(made)]
      await write()
      const after = await director.get(url, { 'if-none-match': tag })
      t.equal(after.statusCode, 200, name)
      t.notSame(after.json(), before, name)
      t.equal((await director.get('estimates/', { 'if-none-match': listTag })).statusCode, 200, name)
    }
    t.match(await read(made), { contract_folio: 'RENOMBRADO', amortizacion: '15.00', descripcion: 'Otra' })
  })
})
