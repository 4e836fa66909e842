import type { Shown } from './records.ts'
import type { StoreParts } from './parts.ts'

/** Calls back with the result of `list`, now and whenever it has changed. */
export function watchList (store: StoreParts, list: () => Promise<Shown[]>, callback: (records: Shown[]) => void) {
  const state = { isOver: false, isStale: true, isReading: false, last: '' }
  const read = async () => {
    if (state.isReading) return
    state.isReading = true
    try {
      while (state.isStale && !state.isOver) {
        state.isStale = false
        const records = await list()
        const text = JSON.stringify(records)
        if (text === state.last || state.isOver) continue
        state.last = text
        store.call(callback, records)
      }
    } catch (error) {
      state.isStale = true
      store.report(error)
    } finally {
      state.isReading = false
    }
  }
  const end = store.onChange(() => {
    state.isStale = true
    read()
  })
  read()
  return () => {
    state.isOver = true
    end()
  }
}
