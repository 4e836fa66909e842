import type { RouteOptions } from 'fastify'
import type { Access } from '../access.ts'

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
    const path = url.replace(/\/$/, '')
    let address = this.#known.get(path)
    if (address === undefined) {
      const pattern = new RegExp(`^${path.split('/').map(part => part.startsWith(':') ? '[^/]+' : part).join('/')}/?$`)
      this.#known.set(path, address = { pattern, methods: new Set(['OPTIONS']), access: config?.access ?? 'public' })
    }
    for (const one of [method].flat()) address.methods.add(one)
  }

  /** What is known of the address that a URL is of. */
  find (url: string): { allow: string, access: 'public' | 'account' } | undefined {
    const path = url.split('?', 1)[0] as string
    for (const { pattern, methods, access } of this.#known.values()) {
      if (pattern.test(path)) return { allow: [...methods].sort().join(', '), access: access === 'public' ? 'public' : 'account' }
    }
    return undefined
  }
}
