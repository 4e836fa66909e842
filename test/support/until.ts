import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a condition holds. @throws {Error} after 30 s */
export async function until (holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const late = performance.now() + 30_000; !await holds(); await sleep(20)) {
    if (performance.now() > late) throw new Error(`not within 30 s: ${holds}`)
  }
}
