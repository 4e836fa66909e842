// A server process as it is started in production, which has 300 ms for what is in flight when it is told to end.
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { serve } from '../../../src/server/serve.ts'
import { withSigningKey } from '../../../src/auth/signing-key.ts'

const config = withSigningKey(loadConfig())
await serve(config, await openDatabase(config, 'refuse'), 300)
