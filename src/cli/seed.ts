import { open } from 'node:fs/promises'
import jwt from '@fastify/jwt'
import { InvalidArgumentError, type Command } from 'commander'
import Fastify from 'fastify'
import { seed, seedConnections, type Seeded, type SeedSize } from './seed/seed.ts'
import { claimsOf, newTokenId } from '../auth/claims.ts'
import { withSigningKey } from '../auth/signing-key.ts'
import { settleMigrations } from '../server/migrate.ts'
import { CliError, report } from './output.ts'
import { withProgress } from './progress.ts'
import { commandConfig, type Databases } from './with-database.ts'

function count (value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 100_000_000) {
    throw new InvalidArgumentError('must be an integer from 0 to 100,000,000')
  }
  return number
}

interface Options extends Omit<SeedSize, 'works'> {
  works?: number
  tokens?: string
  yes?: boolean
}

/** `obra seed`. */
export function addSeedCommand (program: Command, { asOwner }: Databases): void {
  program.command('seed')
    .description('add a customer with companies, contracts, works and Directors, for tests and benchmarks')
    .option('--companies <n>', 'number of companies', count, 10)
    .option('--contracts <n>', 'number of contracts, in total', count, 1000)
    .option('--works <n>', 'number of the contracts with a catalogue, estimates and payments, in total (default: 10 %, at most 100)', count)
    .option('--users <n>', 'number of Directors', count, 10)
    .option('--tokens <file>', 'write an access token per Director, one per line')
    .option('--yes', 'allow it in production')
    .action(async ({ tokens, yes, works, ...given }: Options, command: Command) => {
      const size = { ...given, works: works ?? Math.min(Math.ceil(given.contracts / 10), 100) }
      if (size.companies === 0 && size.contracts + size.users > 0) command.error('error: contracts and users need at least one company')
      if (size.works > size.contracts) command.error('error: --works counts some of the contracts, so it cannot be more than --contracts')
      const config = commandConfig()
      const production = config.NODE_ENV === 'production'
      if (production && yes !== true) throw new CliError('NODE_ENV is production: pass --yes to seed it')

      const started = performance.now()
      await asOwner(async ({ orm }) => await settleMigrations(orm, production ? 'refuse' : 'migrate'))
      // Checked before the first row is written: the key and the file for tokens.
      const output = tokens === undefined
        ? undefined
        : { file: await open(tokens, 'w', 0o600), secret: withSigningKey(config).JWT_SECRET }
      const { sessions, ...seeded } = await asOwner(async ({ orm }) => {
        return await withProgress('contracts', async progress => await seed(orm, size, done => progress(done, size.contracts)))
      }, seedConnections)
      if (output !== undefined) {
        await output.file.writeFile(await accessTokens(output.secret, sessions))
        await output.file.close()
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      report(command, seeded, seededText(seeded, seconds))
    })
}

function seededText ({ companies, contracts, works, users }: SeedSize, seconds: string): string {
  return `seeded ${companies} companies, ${contracts} contracts, ${works} of them with works, ${users} users in ${seconds} s`
}

/** Writes an access token per line, in the order of the users. */
async function accessTokens (secret: string, sessions: Seeded['sessions']): Promise<string> {
  const app = Fastify()
  await app.register(jwt, { secret })
  const now = new Date()
  const lines = sessions.map(({ user, sid }) => app.jwt.sign(claimsOf('access', user, sid, newTokenId(), now)))
  await app.close()
  return lines.map(line => `${line}\n`).join('')
}
