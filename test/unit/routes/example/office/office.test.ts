import t from 'tap'
import { examplePage, servesFiles } from '../../../../support/example-page.ts'

const page = await examplePage(t, '/example/office/')
const { app, get, loaded, mapped, reachedFrom, inProduction } = page

t.test('the page and all modules that it imports are served under its policy, and no others', async (t) => {
  t.strictSame(loaded, new Set(['icon.svg', 'style.css', 'app.js']))
  const reached = await reachedFrom(loaded)
  await servesFiles(t, page, reached)
  t.strictSame(mapped.filter(name => !reached.has(name)), [], 'the import map has no other modules')
  for (const name of ['index.html', 'tsconfig.json', 'modules/obra/api.d.ts', 'modules/obra/index.d.ts', 'modules/obra/index.ts', 'modules/obra/types.js', 'modules/obra/sync/index.js', '..%2fsite-app%2fapp.js']) {
    t.equal((await get(name)).statusCode, 404, name)
  }
})

t.test('the address without the slash redirects to it', async (t) => {
  const { statusCode, headers } = await app.inject('/example/office?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'office/'])
})

t.test('production does not serve it', async (t) => {
  const closed = await inProduction()
  for (const url of ['/example/office', '/example/office/', '/example/office/app.js']) t.equal((await closed.inject(url)).statusCode, 404, url)
})
