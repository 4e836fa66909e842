import { writeFile } from 'node:fs/promises'
import jwt from '@fastify/jwt'
import { SingleBar } from 'cli-progress'
import { InvalidArgumentError, type Command } from 'commander'
import Fastify from 'fastify'
import { seed, seedConnections, type Seeded, type SeedSize } from '../seed/seed.ts'
import { claimsOf, newTokenId } from '../tokens/claims.ts'
import { withSigningKey } from '../signing-key.ts'
import { settleMigrations } from '../database/database.ts'
import { CliError, report } from './output.ts'
import { asOwner } from './with-database.ts'

function count (value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 100_000_000) throw new InvalidArgumentError('not a number of records')
  return number
}

/** `obra seed`. */
export function addSeedCommand (program: Command): void {
  program.command('seed')
    .description('add companies, contracts and Directors for trials and benches')
    .option('--companies <n>', 'companies', count, 10)
    .option('--contracts <n>', 'contracts, over all the companies', count, 1000)
    .option('--users <n>', 'Directors, spread over the companies', count, 10)
    .option('--tokens <file>', "write an access token a line, for the users' live sessions")
    .option('--yes', 'do it in production too')
    .action(async ({ tokens, yes, ...size }: SeedSize & { tokens?: string, yes?: boolean }, command: Command) => {
      if (size.companies === 0 && size.contracts + size.users > 0) throw new CliError('contracts and users need a company')
      if (process.env['NODE_ENV'] === 'production' && yes !== true) throw new CliError('this is production: say --yes to seed it')

      const bar = new SingleBar({ format: '{bar} {value}/{total} contracts', stream: process.stderr })
      const shown = process.stderr.isTTY
      const started = performance.now()
      await asOwner(async ({ orm }, { NODE_ENV }) => await settleMigrations(orm, NODE_ENV === 'production' ? 'refuse' : 'migrate'))
      const { sessions, ...seeded } = await asOwner(async ({ orm }, config) => {
        if (shown) bar.start(size.contracts, 0)
        const result = await seed(orm, size, done => bar.update(done))
        if (shown) bar.stop()
        if (tokens !== undefined) await writeTokens(tokens, withSigningKey(config).JWT_SECRET, result.sessions)
        return result
      }, seedConnections)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      report(command, seeded, `seeded ${seeded.companies} companies, ${seeded.contracts} contracts, ${seeded.users} users in ${seconds} s`)
    })
}

/** Writes an access token a line, in the order of the users. */
async function writeTokens (file: string, secret: string, sessions: Seeded['sessions']): Promise<void> {
  const app = Fastify()
  await app.register(jwt, { secret })
  const now = new Date()
  const lines = sessions.map(({ user, sid }) => app.jwt.sign(claimsOf('access', user, sid, newTokenId(), now)))
  await writeFile(file, lines.map(line => `${line}\n`).join(''), { mode: 0o600 })
  await app.close()
}
