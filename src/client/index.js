export { createObraClient } from './client.js'
export { ObraError, unwrap } from './errors.js'
