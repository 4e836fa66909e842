import { parentPort, workerData } from 'node:worker_threads'
import type { AttackTarget } from './neighbour-attack.ts'
import { neighbourAttacks } from './neighbour-attacks.ts'

/** Runs one attack in a thread of its own, so that it does not slow the measuring thread. Any message ends it; it answers with the number of requests it sent. */
const { name, target } = workerData as { name: string, target: AttackTarget }
const attack = neighbourAttacks.find(attack => attack.name === name)
const ending = new AbortController()
parentPort?.once('message', () => ending.abort())
parentPort?.postMessage(await attack?.run(target, ending.signal) ?? 0)
