import { setTimeout as sleep } from 'node:timers/promises'

// Uses a share of a core, given as its argument, until it is stopped.
const share = Number(process.argv[2])
const began = performance.now()
const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const before = used()
while (true) {
  const due = before + share * (performance.now() - began)
  while (used() < due);
  await sleep(2)
}
