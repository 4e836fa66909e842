import 'reflect-metadata'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { AppModule } from './app.module.ts'

const adapter = new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } })
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: ['fatal', 'error', 'warn'] })
app.setGlobalPrefix('api/v1')
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }))
app.enableShutdownHooks()
await app.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1')
