import { setTimeout as sleep } from 'node:timers/promises'
import { diag, DiagLogLevel, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import { tracesEndpoint } from './wanted.ts'

/** Time in ms for sending the last spans during a shutdown. */
const timeout = 3000

/** Creates a tracer that sends its spans in the background to the configured collector. `close` sends the last ones. */
export function openExport (config: Config, log: FastifyBaseLogger): { tracer: Tracer, close: () => Promise<void> } {
  const { url } = tracesEndpoint(config)
  const warn = (message: string) => log.warn(`tracing: ${message}`)
  const logger = { error: warn, warn, info () {}, debug () {}, verbose () {} }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const service = resourceFromAttributes({ 'service.name': 'obra', 'service.version': manifest.version })
  const provider = new TracerProvider({
    resource: service.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })]
  })
  return {
    tracer: provider.getTracer('obra', manifest.version),
    async close () {
      await Promise.race([provider.shutdown().catch((error: Error) => warn(error.message)), sleep(timeout, undefined, { ref: false })])
      diag.disable()
    }
  }
}
