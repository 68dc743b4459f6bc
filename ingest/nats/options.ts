import { natsParams } from '../../core/nats-url.ts'
import type { StreamLimits } from './streams.ts'

/** What NATS_URL says about the streams, in the parameters of any of its URLs. */
export function natsOptions(url: string): StreamLimits & { readonly url: string } {
  const { replicas = 1, backlogMb = 1024 } = natsParams(url)
  return { url, maxBacklogBytes: backlogMb * 1_000_000, replicas }
}
