import pg from 'pg'
import { DataSource } from 'typeorm'
import { ContractEntity, ContraparteEntity } from './entities.ts'

// Ids as numbers; by default the driver returns bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// Timestamps with microseconds, which a Date would cut: `2026-03-01T15:04:05.123456Z`.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, value =>
  `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`)

export const database = new DataSource({
  type: 'postgres',
  url: process.env['DATABASE_URL'],
  poolSize: 10,
  extra: { options: '-c timezone=UTC' },
  entities: [ContractEntity, ContraparteEntity],
  logging: ['error', 'warn']
})
