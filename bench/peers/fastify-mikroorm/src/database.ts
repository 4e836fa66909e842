import { MikroORM } from '@mikro-orm/postgresql'
import { Contract, Contraparte } from './entities.ts'

export const orm = await MikroORM.init({
  clientUrl: process.env['DATABASE_URL'] as string,
  entities: [Contract, Contraparte],
  pool: { min: 0, max: 10 },
  ensureDatabase: false
})
