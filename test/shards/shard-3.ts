import { runShard } from './shard.ts'

await runShard()
