import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { slice } from '../../../plugins/watch.ts'
import { build } from '../../support/helper.ts'
import { until } from '../../support/until.ts'

t.test('watches of revisions', async (t) => {
  const { app, as, psql, database } = await build(t)
  const director = await as('director@demo.example')
  const [{ company }] = await psql("select company_id as company from users where email = 'director@demo.example'") as [{ company: number }]
  const present = async () => (await psql('select revision, stamp from company_revisions where company_id = $1', [company]))[0] as { revision: number, stamp: number }

  // Counts the reads of revisions.
  let reads = 0
  const { query } = database.sql
  database.sql.query = async (statement) => {
    if (statement.name === 'watched revisions') reads++
    return await query(statement)
  }
  /** Starts a watch that is noted when it ends. */
  async function start (known?: { revision: number, stamp: number }) {
    const response = { destroyed: false }
    const watch = { outcome: undefined as string | undefined, response, ended: Promise.resolve() }
    watch.ended = app.watch(company, known ?? await present(), 30, response).then((outcome) => { watch.outcome = outcome })
    return watch
  }

  await t.test('end at the commit of a write, or of a unit of work, of this process', async (t) => {
    for (const [path, body] of [['contracts/', { folio: 'WATCH-1' }], ['contracts/bulk/', { items: [{ folio: 'WATCH-2' }] }]] as const) {
      const watch = await start()
      const before = reads
      await director.post(path, body)
      await watch.ended
      t.equal(watch.outcome, 'changed', path)
      t.ok(reads > before)
    }
  })

  await t.test('end within some reads after a write of another process, or with another stamp', async (t) => {
    const watch = await start()
    await psql("update contracts set monto = 1 where folio = 'WATCH-1'")
    await watch.ended
    t.equal(watch.outcome, 'changed')
    const { revision, stamp } = await present()
    const forked = await start({ revision, stamp: stamp + 1 })
    await forked.ended
    t.equal(forked.outcome, 'changed')
  })

  await t.test('do not end with a write to another company', async (t) => {
    const watch = await start()
    await (await as('director@otra.example')).post('contracts/', { folio: 'WATCH-3' })
    await sleep(500)
    t.equal(watch.outcome, undefined)
    watch.response.destroyed = true
    await watch.ended
    t.equal(watch.outcome, 'disconnected')
  })

  await t.test('end in slices, so that other work runs in between', async (t) => {
    const known = await present()
    const steps: number[] = []
    let step = 0
    let isCounting = true
    const count = () => {
      step++
      if (isCounting) setImmediate(count)
    }
    count()
    const watches = Array.from({ length: 10 * slice }, async () => {
      const outcome = await app.watch(company, known, 30, { destroyed: false })
      steps.push(step)
      return outcome
    })
    await director.post('contracts/', { folio: 'WATCH-5' })
    t.strictSame([...new Set(await Promise.all(watches))], ['changed'])
    isCounting = false
    for (const [, ended] of Map.groupBy(steps, one => one)) t.ok(ended.length <= slice)
  })

  await t.test('cost nothing when there are none', async (t) => {
    await sleep(300)
    const before = reads
    await director.post('contracts/', { folio: 'WATCH-4' })
    await sleep(500)
    t.equal(reads, before)
  })

  await t.test('end when the client of a request or stream disconnects', async (t) => {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { cursor } = (await director.get('changes/?page_size=1000')).json()
    for (const [path, accept] of [[`changes/?cursor=${cursor}`, 'application/json'], ['changes/events/', 'text/event-stream']] as const) {
      const client = new AbortController()
      const answer = fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${director.access}`, prefer: 'wait=30', accept }, signal: client.signal }).catch(() => {})
      const earlier = reads
      await until(() => reads >= earlier + 2)
      client.abort()
      await answer
      let before = -1
      for (let wait = 0; wait < 20 && before !== reads; wait++) {
        before = reads
        await sleep(500)
      }
      t.equal(reads, before, `${path} is no longer watched`)
    }
  })

  await t.test('end at a shutdown, and a later one at once', async (t) => {
    const watch = await start()
    const last = await present()
    await app.close()
    await watch.ended
    t.equal(watch.outcome, 'closing')
    t.equal(await app.watch(company, last, 30, { destroyed: false }), 'closing')
  })
})
