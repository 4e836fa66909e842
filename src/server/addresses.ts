import type { RouteOptions } from 'fastify'
import type { Access } from '../auth/access.ts'

interface KnownAddress {
  pattern: RegExp
  methods: Set<string>
  access: Access
}

/** The addresses of a server with their methods, to distinguish a wrong method from an unknown address. */
export class Addresses {
  readonly #known = new Map<string, KnownAddress>()

  /** Adds a route. */
  add ({ url, method, config }: RouteOptions): void {
    const path = pathOf(url)
    let address = this.#known.get(path)
    if (address === undefined) {
      const pattern = new RegExp(`^${path.split('/').map(part => part.startsWith(':') ? '[^/]+' : part).join('/')}$`)
      this.#known.set(path, address = { pattern, methods: new Set(['OPTIONS']), access: config?.access ?? 'public' })
    }
    for (const one of [method].flat()) address.methods.add(one)
  }

  /** The address of a URL, if it is known: the value of `Allow`, and the access that its 405 requires. */
  find (url: string): { allow: string, access: 'public' | 'account' } | undefined {
    const path = pathOf(url)
    const known = this.#known.get(path) ?? this.#known.values().find(({ pattern }) => pattern.test(path))
    if (known === undefined) return undefined
    return { allow: [...known.methods].sort().join(', '), access: known.access === 'public' ? 'public' : 'account' }
  }

  /** Addresses without parameters that also match another route's pattern, such as `/contracts/bulk` and `/contracts/:id`. */
  shadowed (): Map<string, ReadonlySet<string>> {
    const patterns = [...this.#known].filter(([path]) => path.includes('/:')).map(([, { pattern }]) => pattern)
    const isShadowed = (path: string) => !path.includes('/:') && patterns.some(pattern => pattern.test(path))
    return new Map([...this.#known].filter(([path]) => isShadowed(path)).map(([path, { methods }]) => [path, methods]))
  }
}

function pathOf (url: string): string {
  return (url.split('?', 1)[0] as string).replace(/\/$/, '')
}
