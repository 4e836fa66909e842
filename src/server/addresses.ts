import type { RouteOptions } from 'fastify'
import type { Access } from '../auth/access.ts'

interface KnownAddress {
  pattern: RegExp
  methods: Set<string>
  access: Access
}

/** The addresses that a server knows and the methods that each takes, to tell a wrong method from an unknown address. */
export class Addresses {
  readonly #known = new Map<string, KnownAddress>()

  /** Takes note of a route. */
  add ({ url, method, config }: RouteOptions): void {
    const path = pathOf(url)
    let address = this.#known.get(path)
    if (address === undefined) {
      const pattern = new RegExp(`^${path.split('/').map(part => part.startsWith(':') ? '[^/]+' : part).join('/')}$`)
      this.#known.set(path, address = { pattern, methods: new Set(['OPTIONS']), access: config?.access ?? 'public' })
    }
    for (const one of [method].flat()) address.methods.add(one)
  }

  /** What is known of the address that a URL is of. */
  find (url: string): { allow: string, access: 'public' | 'account' } | undefined {
    const path = pathOf(url)
    const known = this.#known.get(path) ?? this.#known.values().find(({ pattern }) => pattern.test(path))
    if (known === undefined) return undefined
    return { allow: [...known.methods].sort().join(', '), access: known.access === 'public' ? 'public' : 'account' }
  }

  /** The addresses without parameters that the pattern of another route also matches, such as `/contracts/bulk` by `/contracts/:id`. */
  shadowed (): Map<string, ReadonlySet<string>> {
    const patterns = [...this.#known].filter(([path]) => path.includes('/:')).map(([, { pattern }]) => pattern)
    return new Map([...this.#known].filter(([path]) => !path.includes('/:') && patterns.some(pattern => pattern.test(path))).map(([path, { methods }]) => [path, methods]))
  }
}

function pathOf (url: string): string {
  return (url.split('?', 1)[0] as string).replace(/\/$/, '')
}
