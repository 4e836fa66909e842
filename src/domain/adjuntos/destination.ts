import type { Sql } from '../../database/connection/sql.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { findRecord } from '../../resources/reading/record.ts'
import type { Tenant } from '../../resources/tenant.ts'
import type { FileStore } from './file-store.ts'
import type { PartialStore } from './partial-store.ts'
import { adjuntos } from './resource.ts'
import type { Attachment } from './types.ts'

/** Where the bytes of files are, and what is known of them. */
export interface FileStorage {
  store: FileStore
  /** The bytes of resumable uploads. */
  partials: PartialStore
  sql: Sql
  /** Bytes that a company may store. */
  quota: number
}

/** What an upload is for. */
export interface Destination {
  storage: FileStorage
  tenant: Tenant
  /** An attachment that the caller may change. */
  attachment: Attachment
}

/** Whether the server has the bytes of an attachment. Bytes that the store has lost are uploaded again. */
export async function isComplete (store: FileStore, { company, sha256, bytes, estado }: Attachment): Promise<boolean> {
  return estado === 'listo' && await store.sizeOf({ company, sha256 }) === bytes
}

/** The present record of an attachment. @returns undefined if it was deleted */
export async function readAttachment (unit: UnitOfWork, { id, company }: Attachment): Promise<Attachment | undefined> {
  return await findRecord(async (query, values) => await unit.read({ query, company, values }), adjuntos, id)
}
