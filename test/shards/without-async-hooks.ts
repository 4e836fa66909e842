import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * tap follows every promise to name the test of an error thrown outside of it, which takes an eighth of the CPU time. Import this file before
 * tap, which creates its hook when it loads.
 */
asyncHooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()

// Without its hook, tap would report an unhandled rejection only at the end. So it ends the process, as a thrown error does.
process.on('unhandledRejection', (error) => {
  setImmediate(() => { throw error })
})
