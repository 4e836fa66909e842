import t from 'tap'
import { build } from '../../../support/helper.ts'

const { as, psql, database: { shares } } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')
const [{ id: parent }, ...others] = await Promise.all(Array.from({ length: 41 }, async (_, n) => (await director.post('contracts/', { folio: `M-${n}`, external_id: `m-${n}` })).json()))

t.test('a bulk of many dependent writes that exceeds the time limit of a unit of work is 503 and rolled back', async (t) => {
  const items = others.map(({ external_id: id, folio }: { external_id: string, folio: string }) => ({ external_id: id, folio, parent }))
  const moved = async () => (await psql('select count(*)::int as n from contracts where parent_id = $1', [parent]))[0]?.['n'] as number
  // The first item is written late, so the next statement is over the limit.
  await psql('create function late() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$')
  await psql("create trigger late before update on contracts for each row when (new.folio = 'M-1') execute function late()")
  const { unitTimeout } = shares
  shares.unitTimeout = 500
  const answer = await director.post('contracts/bulk/', { upsert: 'external_id', items })
  t.match([answer.statusCode, answer.headers['retry-after'], answer.json()], [503, '1', { code: 'unavailable', detail: 'The server is busy, and could not finish the request in time. Nothing was written. Try again later.' }])
  t.equal(await moved(), 0)
  t.equal((await director.post('contracts/', { folio: 'DESPUÉS' })).statusCode, 201, 'the company is unlocked')
  shares.unitTimeout = unitTimeout
  await psql('drop function late cascade')
  t.equal((await director.post('contracts/bulk/', { upsert: 'external_id', items })).statusCode, 201)
  t.equal(await moved(), 40)
})

t.test('a bulk that waits for others of its company for 10 s is 503 with the reason', async (t) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const holding = shares.units.run(1, Infinity, async () => await held)
  const answer = await director.post('contracts/bulk/', { items: [{ folio: 'ESPERA' }] }, { 'accept-language': 'es' })
  release()
  await holding
  t.match([answer.statusCode, answer.headers['retry-after'], answer.json()], [503, '1', { detail: 'Otras solicitudes están escribiendo los mismos datos. Inténtelo más tarde.' }])
})
