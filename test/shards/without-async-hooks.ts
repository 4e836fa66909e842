import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * tap follows every promise to name the test of an error thrown outside of it, which takes an eighth of the CPU time. The error fails the
 * file without it too. Import this file before tap.
 */
asyncHooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
