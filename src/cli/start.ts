import { InvalidArgumentError, type Command } from 'commander'
import { start } from '../server/start.ts'

function workers (value: string): string {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('must be a positive integer')
  return value
}

/** `obra start`. */
export function addStartCommand (program: Command): void {
  program.command('start')
    .description('start the server, as `npm start` does')
    .option('--workers <n>', 'number of processes (default: WORKERS or 1)', workers)
    .action(async (options: { workers?: string }) => {
      if (options.workers !== undefined) process.env['WORKERS'] = options.workers
      await start()
    })
}
