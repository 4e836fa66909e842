import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import { authentication } from './auth.ts'
import { contracts } from './contracts.ts'
import { orm } from './database.ts'

export const app = Fastify({
  logger: true,
  logController: new LogController({ disableRequestLogging: true }),
  ajv: { customOptions: { allowUnionTypes: true } }
}).withTypeProvider<TypeBoxTypeProvider>()

app.addHook('onClose', async () => await orm.close())
app.register(authentication)
app.register(contracts, { prefix: '/api/v1/contracts' })

app.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: 'Not found.' }))
app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
  const { statusCode: status = 500 } = error
  if (status >= 500) request.log.error(error)
  return reply.code(status).send({ detail: status >= 500 ? 'Internal server error.' : error.message })
})
