import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import { JwtModule } from '@nestjs/jwt'
import { TypeOrmModule } from '@nestjs/typeorm'
import pg from 'pg'
import { AuthGuard } from './auth.guard.ts'
import { ContractsController } from './contracts.controller.ts'
import { ContractsService } from './contracts.service.ts'
import { Contract, Contraparte } from './entities.ts'

// Ids as numbers; by default the driver returns bigint as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// Timestamps with microseconds, which a Date would cut: `2026-03-01T15:04:05.123456Z`.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, value =>
  `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`)

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'],
      poolSize: 10,
      extra: { options: '-c timezone=UTC' },
      entities: [Contract, Contraparte],
      logging: ['error', 'warn']
    }),
    TypeOrmModule.forFeature([Contract, Contraparte]),
    JwtModule.register({ secret: process.env['JWT_SECRET'] as string, verifyOptions: { algorithms: ['HS256'] } })
  ],
  controllers: [ContractsController],
  providers: [ContractsService, { provide: APP_GUARD, useClass: AuthGuard }]
})
export class AppModule {}
