/** @import { Shown } from './records.js' */
/** @import { StoreParts } from './parts.d.ts' */

/**
 * Calls back with the result of `list`, now and whenever it has changed.
 * @param {StoreParts} store
 * @param {() => Promise<Shown[]>} list
 * @param {(records: Shown[]) => void} callback
 */
export function watchList (store, list, callback) {
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
