declare module '@20minutes/s3rver' {
  import type { Server } from 'node:http'

  interface Options {
    address: string
    port: number
    silent: boolean
    directory: string
    vhostBuckets: boolean
    configureBuckets: Array<{ name: string, configs?: string[] }>
  }

  interface Context {
    path: string
    state: { vhost?: boolean }
    mountPath?: string
  }

  /** A fake of S3 that stores objects in files, and checks signatures and the expiry of URLs. */
  export default class S3rver {
    constructor (options: Partial<Options>)
    readonly httpServer: Server
    readonly middleware: Array<(ctx: Context, next: () => Promise<void>) => Promise<void>>
    run (): Promise<{ port: number }>
  }
}
