import type { Storage } from './index.d.ts'

/** A storage in IndexedDB, which the tabs of an origin share. @param name of the database */
export declare function dexieStorage (name: string): Storage
