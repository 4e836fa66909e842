// A production server process with 300 ms for requests in flight at shutdown.
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { serve } from '../../../src/server/serve.ts'
import { withSigningKey } from '../../../src/auth/signing-key.ts'

const config = withSigningKey(loadConfig())
await serve(config, await openDatabase(config, 'refuse'), 300)
