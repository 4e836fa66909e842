export { createObraClient } from './client.js'
export { ConnectionError, ObraError, unwrap } from './errors.js'
export { failureOf } from './failure.js'
