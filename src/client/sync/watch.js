/** @import { Shown } from './records.js' */
/** @import { Store } from './store.js' */

/**
 * Calls back with the result of `list`, now and whenever it has changed.
 * @param {Store} store
 * @param {() => Promise<Shown[]>} list
 * @param {(records: Shown[]) => void} callback
 */
export function watchList (store, list, callback) {
  const state = { isOver: false, isStale: true, last: '' }
  let reading = Promise.resolve()
  const read = async () => {
    if (state.isOver || !state.isStale) return
    state.isStale = false
    const records = await list()
    const text = JSON.stringify(records)
    if (text === state.last || state.isOver) return
    state.last = text
    store.call(callback, records)
  }
  const next = () => { reading = reading.catch(() => {}).then(read) }
  const end = store.onChange(() => {
    state.isStale = true
    next()
  })
  next()
  return () => {
    state.isOver = true
    end()
  }
}
