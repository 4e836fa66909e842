import { setTimeout as sleep } from 'node:timers/promises'
import { diag, DiagLogLevel, type Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'

/** Milliseconds that the collector has, when the process ends, for the last spans. */
const timeout = 3000

/** What makes spans and sends them, in the background, to the collector that the variables name. `close` sends the last. */
export function openExport (config: Config, log: FastifyBaseLogger): { tracer: Tracer, close: () => Promise<void> } {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_TRACES_SAMPLER_ARG: share } = config
  const url = whole ?? (endpoint === undefined ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`)
  const warn = (message: string) => log.warn(`tracing: ${message}`)
  diag.setLogger({ error: warn, warn, info () {}, debug () {}, verbose () {} }, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'obra', 'service.version': manifest.version }).merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
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
