// Each part has a database of its own. In one process, the migration of the children is drafted only once.
import './callers.ts'
import './history.ts'
import './keys.ts'
import './rows.ts'
import './sums.ts'
