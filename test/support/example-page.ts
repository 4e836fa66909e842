import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { build, buildOn, type TestServer } from './helper.ts'

/** An example page of a server. */
export interface ExamplePage {
  app: TestServer['app']
  /** Reads a file by its address below that of the page. */
  get: (name: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** The HTML of the page. */
  html: LightMyRequestResponse
  /** Files that the HTML loads. */
  loaded: Set<string>
  /** The content policy that its files must have. */
  policy: string
  /** Modules in the import map. */
  mapped: string[]
  /** The files, everything that they import, and everything that is imported there. */
  reachedFrom: (names: Iterable<string>) => Promise<Set<string>>
  /** A server of the same database in production. */
  inProduction: () => Promise<TestServer['app']>
}

/** Builds a server and reads an example page. @param allowed further directives of its policy */
export async function examplePage (t: Test, address: string, allowed = ''): Promise<ExamplePage> {
  const { app, database } = await build(t)
  const get: ExamplePage['get'] = async (name, headers = {}) => await app.inject({ url: `${address}${name}`, headers })
  const html = await get('')
  const map = /<script type="importmap">([^]*?)<\/script>/.exec(html.body)?.[1] as string
  const { imports } = JSON.parse(map) as { imports: Record<string, string> }

  async function reachedFrom (names: Iterable<string>): Promise<Set<string>> {
    const reached = new Set(names)
    for (const name of reached) {
      const { body } = await get(name)
      for (const [, specifier = ''] of body.matchAll(/^(?:import|export)[^'"]* from ['"]([^'"]+)['"]/gm)) {
        reached.add(specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier) : posix.normalize(imports[specifier] ?? specifier))
      }
    }
    return reached
  }

  return {
    app,
    get,
    html,
    loaded: new Set([...html.body.matchAll(/(?:src|href)="([^"#]+\.[a-z]+)"/g)].map(([, name = '']) => name)),
    policy: `default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ${allowed}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    mapped: Object.values(imports).map(name => posix.normalize(name)),
    reachedFrom,
    inProduction: async () => await buildOn(t, { ...database, close: async () => {} }, { NODE_ENV: 'production' })
  }
}

/** The media types of files by their endings. */
const types: Record<string, string> = {
  svg: 'image/svg+xml', webmanifest: 'application/manifest+json', css: 'text/css; charset=utf-8', js: 'application/javascript; charset=utf-8'
}

/** Checks that the page and these files are served under its policy, and revalidated by ETag. */
export async function servesFiles (t: Test, { get, html, policy }: ExamplePage, names: Iterable<string>): Promise<void> {
  t.strictSame([html.statusCode, html.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.notMatch(html.body, /<style|style=|https?:/, 'nothing that the policy forbids')
  for (const name of names) {
    const { statusCode, headers } = await get(name)
    t.strictSame([statusCode, headers['content-type']], [200, types[name.split('.').at(-1) as string]], name)
    t.strictSame([headers['content-security-policy'], headers['referrer-policy'], headers['x-content-type-options']], [policy, 'no-referrer', 'nosniff'], name)
    const again = await get(name, { 'if-none-match': headers['etag'] as string })
    t.strictSame([again.statusCode, again.body], [304, ''], name)
  }
}
