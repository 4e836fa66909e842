import type { FastifyInstance } from 'fastify'
import { recordedResources } from '../../../../src/domain/entities/index.ts'
import { listHistory } from '../../../../src/domain/history/list.ts'

export default async function historyRoutes (app: FastifyInstance) {
  app.get('/', listHistory(recordedResources))
}
