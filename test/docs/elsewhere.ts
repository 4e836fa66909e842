/**
 * Command lines of the pages that do not run with their page, because they install packages, take minutes, or run this suite. Each has
 * the file that runs it and names it.
 */
export const elsewhere: Record<string, string> = {
  'npm pack ./src/client': 'test/unit/client/package.alone.test.ts',
  'npm install ../obra/obra-client-1.1.0-dev.tgz': 'test/unit/client/package.alone.test.ts',
  'npm run lint': '.ci/run',
  'npm run typecheck': '.ci/run',
  'npm ci': '.ci/run',
  'npm ci && npm start': 'test/unit/server/newcomer.test.ts',
  'npm ci && npm test': '.ci/run',
  'WORKERS=2 npm start': 'test/unit/server/workers.test.ts'
}

/** Pages whose scripts a separate test runs as one program. */
export const elsewhereScripts: Record<string, string> = {
  'docs/reference/client.md': 'test/unit/client/package.alone.test.ts',
  'docs/reference/store.md': 'test/unit/client/package.alone.test.ts'
}
