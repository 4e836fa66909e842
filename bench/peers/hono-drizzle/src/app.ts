import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { authenticated, type Signed } from './auth.ts'
import { contracts } from './contracts.ts'

export const app = new Hono<Signed>({ strict: false })

app.use('/api/v1/*', ...authenticated)
app.route('/api/v1/contracts', contracts)

app.notFound(c => c.json({ detail: 'Not found.' }, 404))
app.onError((error, c) => {
  if (error instanceof HTTPException) return c.json({ detail: error.message }, error.status)
  console.error(error)
  return c.json({ detail: 'Internal server error.' }, 500)
})
