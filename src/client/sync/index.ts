export { memoryStorage } from './memory.ts'
export { openStore } from './store.ts'
export type { ObraError } from '../errors.ts'
export type {
  Blocked, Collection, Conflict, Creation, DeviceFile, FileFields, Files, Filter, Id, LocalRecord, Patch, Refused, Resource, Status,
  Storage, Store, Stored, StoreOptions, SyncState, Transaction
} from './types.ts'
