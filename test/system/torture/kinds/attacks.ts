import type { Kind } from './kinds.ts'

/** Generated attacks, each on a server and a database of its own in this process. */
export const attacks: Kind = {
  name: 'attacks',
  about: "other tenants' values in every place, times of answers, requests by chance, their framing spoilt by chance, regular expressions",
  async run ({ postgres, ...amounts }, tell) {
    // The servers of tests take their database from there, when they are loaded.
    if (postgres !== undefined) process.env['DATABASE_URL'] = postgres
    const { attackAll } = await import('./generated.ts')
    await attackAll(amounts, tell)
  }
}
