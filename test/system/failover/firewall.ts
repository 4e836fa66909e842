import { execFileSync } from 'node:child_process'
import type { Machine } from './machine.ts'

const table = `obra_failover_${process.pid}`

/** nft looks for control groups in this folder. */
const groups = '/sys/fs/cgroup'

/** Runs nft in a mount namespace in which the control groups are where it looks for them. */
function nft (input: string): void {
  execFileSync('unshare', ['--mount', 'sh', '-c', `mount -t cgroup2 none ${groups} && exec nft -f -`], { input, stdio: ['pipe', 'ignore', 'pipe'] })
}

/** Drops all packets between a machine and the others, as a pulled network cable does. Its processes still reach each other. */
export function cut ({ address, group }: Machine): void {
  const own = `socket cgroupv2 level 1 "${group}"`
  // Clients have the address 127.0.0.1 on every machine. So the sender's group decides about packets to a server, and the receiver's about answers.
  nft(`table inet ${table} {
    chain output {
      type filter hook output priority 0
      ip daddr ${address} ${own} accept
      ip daddr ${address} drop
      ${own} ip saddr != ${address} drop
    }
    chain input {
      type filter hook input priority 0
      ip saddr ${address} ${own} accept
      ip saddr ${address} drop
    }
  }\n`)
}

/** Lets all packets pass again. */
export function mend (): void {
  nft(`table inet ${table}\ndelete table inet ${table}\n`)
}
