import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { demoPassword, demoUsers } from '../../../src/domain/demo/data.ts'
import { welcome } from '../../../src/server/welcome.ts'

t.test('it shows the address that the server listens on, for any host', async (t) => {
  t.match(welcome(loadConfig({}), 'embedded', 3000, true), 'http://127.0.0.1:3000/api/v1/\n')
  t.match(welcome(loadConfig({ HOST: '::1' }), 'embedded', 8080, true), 'http://[::1]:8080/api/v1/\n')
  t.match(welcome(loadConfig({}), 'embedded', 3000, true), 'Start page, with all links: http://127.0.0.1:3000/\n')
  t.match(welcome(loadConfig({}), 'embedded', 3000, true), 'http://127.0.0.1:3000/docs/\n')
  t.match(welcome(loadConfig({}), 'embedded', 3000, true), 'http://127.0.0.1:3000/example/\n')
  t.match(welcome(loadConfig({}), 'embedded', 3000, true), 'http://127.0.0.1:3000/example/office/\n')
  t.notMatch(welcome(loadConfig({ DOCS: 'off' }), 'embedded', 3000, true), '/docs/')
  t.match(welcome(loadConfig({ PORT: '0' }), 'embedded', 4711, true), ':4711/api/v1/contracts/')
})

t.test('it shows the database, without its password', async (t) => {
  t.match(welcome(loadConfig({ DATA_DIR: '/var/lib/obra' }), 'embedded', 3000, true), 'embedded PostgreSQL in /var/lib/obra')
  const text = welcome(loadConfig({ DATABASE_URL: 'postgres://u:hidden@h/d' }), 'postgres', 3000, true)
  t.match(text, 'PostgreSQL (DATABASE_URL)')
  t.notMatch(text, 'hidden')
})

t.test('it shows the demo log-ins and the password only with demo data', async (t) => {
  const text = welcome(loadConfig({}), 'embedded', 3000, true)
  for (const { email } of demoUsers) t.match(text, new RegExp(`^ {2}${email} +\\S`, 'm'))
  t.match(text, demoPassword)
  t.match(text, /^ {2}curl .*director@demo\.example/m)

  const other = welcome(loadConfig({}), 'postgres', 3000, false)
  t.match(other, 'Obra is listening on http://127.0.0.1:3000/api/v1/')
  t.notMatch(other, /demo|curl/)
})
