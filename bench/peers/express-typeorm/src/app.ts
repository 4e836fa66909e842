import express, { type ErrorRequestHandler } from 'express'
import { authenticated } from './auth.ts'
import { contracts } from './contracts.ts'
import { HttpError } from './errors.ts'

export const app = express()

app.disable('x-powered-by')
app.use(express.json({ limit: '1mb' }))
app.use('/api/v1', ...authenticated)
app.use('/api/v1/contracts', contracts)
app.use(() => { throw new HttpError(404, 'Not found.') })

const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  // express-jwt and express.json set a status too.
  const status: number = error.status ?? 500
  if (status >= 500) console.error(error)
  response.status(status).json({ detail: status >= 500 ? 'Internal server error.' : error.message, errors: error.errors })
}
app.use(answerError)
