import type { Storage } from 'obra/client/sync'

/** Writes entries of a storage in one transaction. */
export const write = async (storage: Storage, ...changes: Array<[string, unknown]>) => await storage.transaction('write', async transaction => await transaction.write(changes))

/** Lists entries of a storage. */
export const list = async (storage: Storage, prefix = '') => await storage.transaction('read', async transaction => await transaction.list(prefix))
