import type { Test } from 'tap'
import { memoryStorage } from 'obra/client/sync'
import type { DeviceFile, Store } from 'obra/client/sync'
import type { Config } from '../../../../src/config.ts'
import { attaching, fileOf, sha256Of, type Attaching } from '../../../support/attaching.ts'
import { phone, type Phone } from './phone.ts'

/** A server with files, and phones of one of its contracts. */
export interface AttachingPhones {
  server: Attaching
  contract: number
  /** A phone with attachments that has synchronized once. */
  phoneOf: (options?: Parameters<typeof phone>[2]) => Promise<Phone>
  /** Whether the server has the bytes of an attachment. */
  has: (sha256: string, file: Buffer) => Promise<boolean>
}

export async function attachingPhones (t: Test, config: Partial<Config> = {}): Promise<AttachingPhones> {
  const server = await attaching(t, config)
  return {
    server,
    contract: await server.contract(),
    async phoneOf (options = {}) {
      const made = await phone(t, server, { storage: memoryStorage(), resources: ['adjuntos'], ...options })
      await made.store.sync()
      return made
    },
    async has (sha256, file) {
      const [row] = await server.psql(`select id, estado from adjuntos where sha256 = '${sha256}'`)
      if (row?.['estado'] !== 'listo') return false
      const bytes = Buffer.from(await (await server.content(row['id'])).arrayBuffer())
      return bytes.equals(file)
    }
  }
}

let photos = 0

/** A photo with its own content, and its hash. */
export function photoOf (bytes: number): { file: Buffer, blob: Blob, sha256: string } {
  const file = fileOf('image/jpeg', `photo ${photos += 1}`, bytes)
  return { file, blob: new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), sha256: sha256Of(file) }
}

/** State and sent bytes of each file. */
export const statesOf = ({ files }: Store): Array<[DeviceFile['state'], number]> => files.progress.map(({ state, sent }) => [state, sent])
