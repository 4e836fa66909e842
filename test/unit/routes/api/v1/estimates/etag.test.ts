import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('ETags of estimates', async (t) => {
  const { as, director, contract, estimate, send, change, read } = await estimating(t)
  const id = await contract({ anticipo_porcentaje: '10' })
  const { id: made } = await estimate(id, { monto: '500' }) as { id: number }
  const url = `estimates/${made}/`
  const tagOf = async (url: string) => (await director.get(url)).headers.etag as string

  await t.test('of unchanged data are answered 304 without a body', async (t) => {
    for (const address of [url, 'estimates/', `estimates/?contract=${id}&fields=neto`]) {
      const tag = await tagOf(address)
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await director.send(method, address, undefined, { 'if-none-match': tag })
        t.match([response.statusCode, response.body, response.headers.etag], [304, '', tag], address)
      }
      t.equal((await director.get(address, { 'if-none-match': '"other"' })).statusCode, 200)
    }
    const other = await as('director@otra.example')
    t.equal((await other.get('estimates/', { 'if-none-match': await tagOf('estimates/') })).statusCode, 200)
    t.equal((await other.get(url, { 'if-none-match': await tagOf(url) })).statusCode, 404)
  })

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

  await t.test('in If-Match limit a change to the version that was read, whatever else has changed', async (t) => {
    const seen = await tagOf(url)
    await director.send('PATCH', `contracts/${id}/`, { monto: '700' })
    const answer = await director.send('PATCH', url, { descripcion: 'A tiempo' }, { 'if-match': seen })
    t.equal(answer.statusCode, 200)
    const late = await director.send('PUT', url, { contract: id, estado: 'enviada' }, { 'if-match': seen })
    t.equal(late.statusCode, 412)
    t.match(late.json(), { code: 'precondition_failed' })
    t.match(await read(made), { estado: 'borrador', descripcion: 'A tiempo' })
    t.equal((await director.send('PATCH', url, { estado: 'enviada' }, { 'if-match': answer.headers.etag as string })).statusCode, 200, 'the answer to a write has the next ETag')
  })

  await t.test('permit one of several concurrent changes of the same version', async (t) => {
    const seen = await tagOf(url)
    const answers = await Promise.all(Array.from({ length: 6 }, async (_, n) => await director.send('PATCH', url, { descripcion: `Número ${n}` }, { 'if-match': seen })))
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 412, 412, 412, 412, 412])
  })

  await t.test('stay the same after an update without a change', async (t) => {
    const before = await read(made)
    t.strictSame((await send(made, { descripcion: ` ${before['descripcion'] as string} ` })).json(), before)
    t.strictSame(await read(made), before)
  })
})
