export { memoryStorage } from './memory.js'
export { openStore } from './store.js'
