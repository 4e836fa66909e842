import { runShard } from './shard.ts'

await runShard(3)
