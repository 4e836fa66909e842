import type { Edits } from './edits.ts'
import type { Status } from './types.ts'
import type { Scope } from './scope.ts'

/** What the parts of a store use of it. */
export interface StoreParts {
  readonly status: Status
  /** Language of the client's messages. */
  readonly language: 'en' | 'es' | undefined
  /** Reports an error that no caller waits for. */
  report: (error: unknown) => void
  /** Calls a function of the app. Its errors are not the store's. */
  call: <Value>(callback: (value: Value) => void, value: Value) => void
  onStatus: (callback: (status: Status) => void) => () => void
  onChange: (listener: () => void) => () => void
  /** Runs `work` on the current user's entries in the active company. */
  transaction: <Result>(mode: 'read' | 'write', work: (scope: Scope | undefined) => Promise<Result>) => Promise<Result>
  /** Changes edits. @param prefix of the scope, if another one must not be changed */
  changeEdits: <Result>(work: (edits: Edits) => Promise<Result>, prefix?: string) => Promise<Result>
  readonly files: {
    /** Whether a file can be sent now. */
    readonly isSendable: boolean
    onProgress: (callback: () => void) => () => void
  }
  refresh: () => Promise<void>
  syncRecords: (options: { signal?: AbortSignal | undefined }) => Promise<void>
  sendFiles: (options: { signal?: AbortSignal | undefined }) => Promise<void>
}
