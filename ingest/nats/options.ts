import type { Settings } from '../../core/settings.ts'
import type { StreamLimits } from './streams.ts'

/** What the settings say about the streams. */
export function natsOptions(
  { NATS_BACKLOG_MB, NATS_REPLICAS }: Settings,
  url: string,
): StreamLimits & { readonly url: string } {
  return { url, maxBacklogBytes: NATS_BACKLOG_MB * 1_000_000, replicas: NATS_REPLICAS }
}
