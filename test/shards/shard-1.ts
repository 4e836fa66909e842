import { runShard } from './shard.ts'

await runShard(1)
