import t from 'tap'
import { build } from '../../support/helper.ts'
import { commandsOn, owning } from './parse.ts'

/** A day by its distance from today. */
function day (years: number, days = 0): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), now.getUTCDate() + days)).toISOString().slice(0, 10)
}

t.test('a purge of the last year of the history, or of the future, needs --yes', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server, owning(server))
  const entries = async () => (await server.psql('select count(*)::int as count from history'))[0]?.['count']
  const before = await entries()
  t.ok(before > 0)
  for (const late of ['2099-01-01', day(0, 1), day(0), day(-1, 3)]) {
    const { error, out } = await run(['purge', '--history-before', late])
    t.match(error, { message: new RegExp(`^this cannot be undone: pass --yes to remove the history from after \\d{4}-\\d\\d-\\d\\d too, up to ${late}$`) })
    t.equal(out, '')
  }
  t.match((await json(['purge', '--history-before', day(-1, -3)])).removed, { history: 0 })
  t.equal(await entries(), before)
  t.match((await json(['purge', '--history-before', day(0, 2), '--yes'])).removed, { history: Number })
  t.equal(await entries(), 0)
})
