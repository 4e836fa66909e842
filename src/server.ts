import { start } from './start.ts'

try {
  await start()
} catch (error) {
  process.stderr.write(`obra: ${(error as Error).message.split('\n', 1)[0]}\n`)
  process.exit(1)
}
