declare module 'negotiator' {
  export default class Negotiator {
    constructor (request: { headers: Record<string, string> })
    mediaType<T extends string> (available: readonly T[]): T | undefined
    language<T extends string> (available: readonly T[]): T | undefined
  }
}
