import './server/compile-cache.ts'

// Loaded after the line above has run, and so by way of the cache.
const { start } = await import('./server/start.ts')

try {
  await start()
} catch (error) {
  process.stderr.write(`obra: ${(error as Error).message.split('\n', 1)[0]}\n`)
  process.exit(1)
}
