import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** How long the secret before still signs after a rotation. */
export const rotationMs = 24 * 60 * 60 * 1000

/** A secret of one endpoint. @see https://www.standardwebhooks.com */
export const makeWebhookSecret = () => prefix + randomBytes(secretBytes).toString('base64')

/** The headers of one try: the same id for all tries, the time of this one, and one signature for each secret. */
export function webhookHeaders(
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
