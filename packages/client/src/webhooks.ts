import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { components } from './schema.ts'

export { WebhookVerificationError }

/** What a webhook carries: `type`, `timestamp` and `data`. A receiver ignores fields that it does not know. */
export type WebhookEvent = components['schemas']['WebhookEvent']

/** Headers as `fetch` or Node.js has them. */
type GivenHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

function read(headers: GivenHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name]
  return (typeof value === 'object' ? value[0] : value) ?? ''
}

/**
 * The event of a webhook, once its signature and its time are right.
 * @param secret `whsec_…` of the channel
 * @param body as it came: parsing and printing it again would change its bytes
 * @throws {WebhookVerificationError} for a signature of another secret, another body, or a time over five minutes away
 */
export function verifyWebhook(secret: string, body: string, headers: GivenHeaders): WebhookEvent {
  const signed = Object.fromEntries(names.map((name) => [name, read(headers, name)]))
  return new Webhook(secret).verify(body, signed) as WebhookEvent
}
