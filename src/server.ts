import './server/compile-cache.ts'

// Imported after the line above has run, so that the cache applies.
const { messageOf } = await import('./files/errors.ts')
const { start } = await import('./server/start.ts')

try {
  await start()
} catch (error) {
  process.stderr.write(`obra: ${messageOf(error).split('\n', 1)[0]}\n`)
  process.exit(1)
}
