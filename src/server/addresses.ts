import type { HTTPMethods, RouteOptions } from 'fastify'
import type { Access } from '../auth/access.ts'

interface KnownAddress {
  pattern: RegExp
  methods: Set<HTTPMethods>
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
      const pattern = new RegExp(`^${path.split('/').map(part => part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part).join('/')}$`)
      this.#known.set(path, address = { pattern, methods: new Set<HTTPMethods>(['OPTIONS']), access: config?.access ?? 'public' })
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

  /**
   * Addresses without parameters that also match another route's pattern, such as `/contracts/bulk` and `/contracts/:id`, with the methods
   * that only the pattern has.
   */
  shadowed (): Map<string, HTTPMethods[]> {
    const shadowed = new Map<string, HTTPMethods[]>()
    const patterns = [...this.#known].filter(([path]) => path.includes('/:')).map(([, address]) => address)
    for (const [path, { methods }] of this.#known) {
      if (path.includes('/:')) continue
      const others = new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(other => [...other.methods]))
      if (others.difference(methods).size > 0) shadowed.set(path, [...others.difference(methods)])
    }
    return shadowed
  }
}

function pathOf (url: string): string {
  return (url.split('?', 1)[0]).replace(/\/$/, '')
}
