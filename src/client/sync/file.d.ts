import type { Storage } from './index.d.ts'

/**
 * A storage in a file, for Node.js. One process at a time can have it open.
 * @throws {Error} if the file is in use by another process, or is not a storage
 */
export declare function fileStorage (path: string): Promise<Storage>
