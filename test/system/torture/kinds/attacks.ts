import type { Kind } from './kinds.ts'

/** Generated attacks, each on its own server in this process and its own database. */
export const attacks: Kind = {
  name: 'attacks',
  about: "other tenants' values in every place, response times, random requests, mutated framing, regular expressions",
  async run ({ postgres, ...amounts }, addRow) {
    // Test servers read this variable when their module is loaded.
    if (postgres !== undefined) process.env['DATABASE_URL'] = postgres
    const { attackAll } = await import('./generated.ts')
    await attackAll(amounts, addRow)
  }
}
