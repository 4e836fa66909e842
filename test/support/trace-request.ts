import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'

const root = join(import.meta.dirname, '../..')

/** Sends a request. */
export type Send = (options: InjectOptions) => Promise<LightMyRequestResponse>

/** The files of ours in which a request runs a function, by V8's coverage; sorted, relative to the repository. */
export async function filesOf (send: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage') // counts from here
    await send()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0))
      .map(({ url }) => relative(root, fileURLToPath(url)))
      .filter(file => /^(src|plugins|routes)\//.test(file))
      .sort()
  } finally {
    session.disconnect()
  }
}
