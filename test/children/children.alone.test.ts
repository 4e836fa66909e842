// `resources.ts` links the children into the shared resources of the process. Each part has a database of its own, and all share one draft of
// the migration.
import './callers.ts'
import './history.ts'
import './keys.ts'
import './rows.ts'
import './sums.ts'
