import type { Config } from '../../config.ts'

/** Whether OpenTelemetry's variables enable traces. Otherwise it is not loaded. */
export function isTraced (config: Config): boolean {
  if (config.OTEL_SDK_DISABLED.toLowerCase() === 'true') return false
  const { OTEL_TRACES_EXPORTER: exporter } = config
  if (exporter !== undefined) return exporter.split(',').includes('otlp')
  return config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
}

/** The URL to which traces are sent, and the variable that decides it. By default, the collector is on this machine. */
export function tracesEndpoint (config: Config): { variable: string, url: string } {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config
  if (whole !== undefined) return { variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', url: whole }
  const variable = endpoint === undefined ? 'OTEL_TRACES_EXPORTER' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  return { variable, url: `${(endpoint ?? 'http://localhost:4318').replace(/\/$/, '')}/v1/traces` }
}
