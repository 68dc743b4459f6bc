import type { Log } from '../core/log.ts'
import type { Settings } from '../core/settings.ts'
import type { Tracing } from './sdk.ts'

/** Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without the setting, nothing of the SDK is loaded. */
export async function startTracing(
  part: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Settings,
  log: Log,
): Promise<Tracing> {
  if (endpoint === undefined) return { stop: async () => undefined }
  const { startSdk } = await import('./sdk.ts')
  return startSdk(part, endpoint, log)
}
