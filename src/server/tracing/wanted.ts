import type { Config } from '../../config.ts'

/** Whether OpenTelemetry's variables enable traces. Otherwise it is not loaded. */
export function isTraced (config: Config): boolean {
  if (config.OTEL_SDK_DISABLED.toLowerCase() === 'true') return false
  const { OTEL_TRACES_EXPORTER: exporter } = config
  if (exporter !== undefined) return exporter.split(',').includes('otlp')
  return config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
}
