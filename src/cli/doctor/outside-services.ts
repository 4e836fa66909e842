import type { Config } from '../../config.ts'
import { outageOf, outsideServices } from '../../server/outside-services.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Tries each configured service without which servers start, such as Redis. */
export async function examineOutsideServices (config: Config): Promise<Finding[]> {
  const { ok, warning } = findingsOf('services')
  return await Promise.all(outsideServices(config).map(async (service) => {
    const outage = await outageOf(service)
    return outage === undefined ? ok(`the service of ${service.variable} accepts connections`) : warning(outage)
  }))
}
