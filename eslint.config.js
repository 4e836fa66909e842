import { readFileSync } from 'node:fs'
import neostandard, { resolveIgnoresFromGitignore } from 'neostandard'

const bannedPhrases = JSON.parse(readFileSync(new URL('banned-phrases.json', import.meta.url), 'utf8'))

/** Layers of the code. A layer may import only from the layers after it, and nothing from `test/` and `bench/`. */
const layers = [
  'cli', 'routes', 'plugins', 'server', 'openapi', 'jobs', 'domain', 'resources', 'auth', 'limits', 'database', 'http', 'files', 'client'
]

/** Files beside the folders. The layers from `cli` to `server` may import them. */
const rootFiles = ['app\\.ts', 'mikro-orm\\.config\\.ts', 'server\\.ts']

const generated = ['src/client/sync/resources.ts']

/** Migrations stay as they were released. */
const released = ['src/database/migrations/migration-*.ts', 'src/database/migrations/baseline/**']

/**
 * Files with more than 150 lines of code. Each has one subject, and the reason why it is in one file. The path of a request has few files, so
 * that it can be followed: what every request runs is not split further.
 */
const longFiles = {
  'src/client/session.ts': 'one class: the tokens of a client and who renews them',
  'src/client/sync/attachments.ts': 'one class: the files that wait in a store',
  'src/client/sync/store.ts': 'one class: the public methods of the offline store',
  'src/config/limits.ts': 'a list: all limits are found in one file',
  'src/config/variables.ts': 'a list: the documentation of variables follows from it',
  'src/database/connection/postgres-sql.ts': 'on the path of every request',
  'src/database/turns/batch.ts': 'one function, on the path of every request',
  'src/database/turns/batch-requests.ts': 'on the path of every request',
  'src/http/problem-codes.ts': 'a list: the code of each problem',
  'src/limits/connections.ts': 'one table of connections, on the path of every request',
  'src/resources/reading/page.ts': 'on the path of every list',
  'src/resources/tenant.ts': 'one class: all that a handler can ask of a company',
  'src/resources/validation/exact-json.ts': 'one parser, on the path of every body',
  'src/resources/writing/update.ts': 'on the path of every change'
}

/** Forbids a layer to import from the layers before it, also with `import()`. */
const directions = [...layers, 'config.ts'].map((layer) => {
  const place = layer === 'config.ts' ? layers.length : layers.indexOf(layer)
  const above = layers.slice(0, place).map(name => `${name}/`)
  const root = place > layers.indexOf('server') ? rootFiles.map(name => `${name}$`) : []
  const regex = `^(\\.{1,2}/)+(src/)?(${['test/', 'bench/', ...above, ...root].join('|')})`
  const message = `Imports point downwards: ${layers.join(', ')}.`
  return {
    name: `obra/imports-of-${layer}`,
    files: layer === 'config.ts' ? ['src/config.ts', 'src/config/**'] : [['routes', 'plugins'].includes(layer) ? `${layer}/**` : `src/${layer}/**`],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
      'no-restricted-syntax': ['error', { selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`, message }]
    }
  }
})

const emptyPattern = ':matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])'
const pattern = 'CallExpression[callee.property.name="match"] > .arguments:nth-child(2)'
/** Forbids `[]` and `{}` in a pattern of `t.match`, where they match any array or object. */
const weakMatches = [`${pattern}${emptyPattern}`, `${pattern} ${emptyPattern}`].map(selector =>
  ({ selector, message: 'In t.match, [] and {} match any array or object. Use None of test/support/none.ts.' }))

/** Forbids files of a folder to import from another one, also with `import()`, except from `test/support/`. */
function apart (folder, other, ...more) {
  const regex = `^(\\.{1,2}/)+${other}/(?!support/)`
  const message = `Files in ${folder}/ import nothing from ${other}/. Code that both need is in test/support/trial/.`
  return {
    name: `obra/${folder}-without-${other}`,
    files: [`${folder}/**`],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex, message }] }],
      'no-restricted-syntax': ['error', { selector: `ImportExpression[source.value=/${regex.replaceAll('/', '\\/')}/]`, message }, ...more]
    }
  }
}

const emitsErrors = 'It emits `error`, which ends the process if nothing listens. Use src/files/streams.ts, or add a file with a listener to this rule.'

export default [
  ...neostandard({
    ts: true,
    ignores: [...resolveIgnoresFromGitignore(), ...generated]
  }),
  {
    name: 'obra/type-imports',
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }]
    }
  },
  {
    // Comments; .textlintrc.cjs checks Markdown. Matches phrases within a line.
    name: 'obra/prose',
    rules: {
      'no-warning-comments': ['error', { terms: Object.keys(bannedPhrases), location: 'anywhere' }]
    }
  },
  {
    name: 'obra/lines',
    files: ['bench/**', 'plugins/**', 'routes/**', 'src/**'],
    ignores: released,
    rules: { '@stylistic/max-len': ['error', { code: 140 }] }
  },
  {
    name: 'obra/file-length',
    files: ['plugins/**', 'routes/**', 'src/**'],
    ignores: [...released, ...generated, ...Object.keys(longFiles)],
    rules: { 'max-lines': ['error', { max: 150, skipBlankLines: true, skipComments: true }] }
  },
  {
    // Sources of `error` events are made in few files, which listen to them.
    name: 'obra/sources-of-errors',
    files: ['src/**/*.ts', 'plugins/**', 'routes/**'],
    ignores: ['src/client/sync/file-log.ts', 'src/files/streams.ts', 'src/jobs/webhooks/tunnel.ts', 'src/server/outside-services.ts', 'src/server/workers.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': ['error', {
        paths: [
          ...['node:fs', 'fs'].map(name => ({ name, importNames: ['createReadStream', 'createWriteStream', 'watch'], message: emitsErrors })),
          ...['node:net', 'node:tls'].map(name => ({ name, importNames: ['connect', 'createConnection', 'Socket', 'TLSSocket'], allowTypeImports: true, message: emitsErrors })),
          ...['node:child_process', 'node:worker_threads', 'node:dgram'].map(name => ({ name, allowTypeImports: true, message: emitsErrors }))
        ]
      }],
      'no-restricted-properties': ['error', { object: 'cluster', property: 'fork', message: emitsErrors },
        ...['createReadStream', 'createWriteStream'].map(property => ({ property, message: emitsErrors }))]
    }
  },
  ...directions,
  apart('test', 'bench', ...weakMatches),
  apart('bench', 'test'),
  {
    name: 'obra/examples',
    files: ['docs/examples/**'],
    languageOptions: { globals: Object.fromEntries(['Option', 'addEventListener', 'caches', 'confirm', 'createImageBitmap', 'history', 'importScripts', 'location', 'scrollTo', 'self'].map(name => [name, 'readonly'])) }
  }
]
