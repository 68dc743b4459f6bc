import { slackBody, teamsBody } from '../core/channels/chat.ts'
import type { ChannelEvent } from '../core/channels/events.ts'
import { eventMail } from '../core/channels/mail.ts'
import { webhookHeaders } from '../core/channels/webhook.ts'
import { retryAfterMs } from '../core/collecting/providers/retry-after.ts'
import { renderMail } from '../core/mail/template.ts'
import { mayBeClear, type PrivateHost } from '../core/sites/private-hosts.ts'
import { createGuard, type Resolve } from '../site/guard/guard.ts'
import { textOf } from '../site/net/body.ts'
import { openChain } from '../site/net/chain.ts'
import { failureOf } from '../site/net/errors.ts'
import { limits } from '../site/net/limits.ts'
import { type Mailer, MailFault } from './mail.ts'

/** A channel with its address and secrets, ready to send to. */
export interface OpenChannel {
  readonly kind: 'email' | 'slack' | 'teams' | 'webhook'
  readonly name: string
  readonly address: string
  /** Of a webhook: those that sign now. */
  readonly secrets: readonly string[]
  readonly unsubscribeUrl: string
}

/** What came of one try. */
export interface Outcome {
  readonly isSent: boolean
  /** The status of HTTP or SMTP; null where no reply came. */
  readonly status: number | null
  /** What is wrong, in a sentence; null where the event was taken. */
  readonly problem: string | null
  /** The first bytes of the reply. */
  readonly reply: string
  readonly retryAfterMs: number | null
  /** Why the channel can take nothing more; null where a later try may pass. */
  readonly end: string | null
}

export interface SenderParts {
  /** ALLOW_PRIVATE_HOSTS. */
  readonly privateHosts: readonly PrivateHost[]
  /** Null where the service sends no mail. */
  readonly mailer: Mailer | null
  /** Default: the resolver of the machine. */
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

const sendMs = 15_000
const replyBytes = 500

const outcome = (given: Partial<Outcome>): Outcome => ({
  isSent: false,
  status: null,
  problem: null,
  reply: '',
  retryAfterMs: null,
  end: null,
  ...given,
})

/** Words of Slack in place of a status that ends a channel. @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const slackEnds: Readonly<Record<string, string>> = {
  no_service: 'Slack no longer knows this webhook.',
  channel_is_archived: 'The Slack channel is archived.',
  channel_not_found: 'The Slack channel was deleted.',
  no_team: 'The Slack workspace was deleted.',
}

/** What a status means to a person. */
function statusWords(status: number): string {
  if (status >= 300 && status < 400) {
    return `The address redirects (${status}), which is not followed. Enter the address that it leads to.`
  }
  if (status === 401 || status === 403) return `The receiver refused the request (${status}).`
  if (status === 404) return 'The receiver knows no such address (404).'
  if (status === 410) return 'The receiver says that this address is gone for good (410).'
  if (status === 429) return 'The receiver gets too many requests (429).'
  if (status >= 500) return `The receiver has a fault of its own (${status}).`
  return `The receiver answered ${status} in place of 200 to 299.`
}

function bodyFor(channel: OpenChannel, event: ChannelEvent): string {
  if (channel.kind === 'slack') {
    return JSON.stringify(slackBody(event, new URL(channel.address).hostname))
  }
  if (channel.kind === 'teams') return JSON.stringify(teamsBody(event))
  return JSON.stringify(event)
}

/** Sends one event to a channel, once. Follows no redirect, and reaches no private address. */
export async function sendTo(
  channel: OpenChannel,
  { id, event }: { readonly id: string; readonly event: ChannelEvent },
  parts: SenderParts,
): Promise<Outcome> {
  return channel.kind === 'email'
    ? mail(channel, { id, event }, parts.mailer)
    : post(channel, { id, event }, parts)
}

async function mail(
  { address: to, name, unsubscribeUrl }: OpenChannel,
  { id, event }: { readonly id: string; readonly event: ChannelEvent },
  mailer: Mailer | null,
): Promise<Outcome> {
  if (!mailer) return outcome({ problem: 'This service has no mail server: set SMTP_URL.' })
  try {
    const content = renderMail(eventMail(event, { channel: name, unsubscribeUrl }))
    const { alarmId } = event.data
    const thread = typeof alarmId === 'string' ? `alarm-${alarmId}` : undefined
    await mailer.send({ to, id, thread, unsubscribeUrl, ...content })
    return outcome({ isSent: true, status: 250 })
  } catch (error) {
    if (!(error instanceof MailFault)) throw error
    const reply = error.message.slice(0, replyBytes)
    if (error.isGone) {
      const end = 'The mail server knows no such address (550).'
      return outcome({ status: error.status, reply, problem: end, end })
    }
    const problem =
      error.status === null
        ? 'The mail server does not answer.'
        : `The mail server did not take the mail (${error.status}).`
    return outcome({ status: error.status, reply, problem })
  }
}

async function post(
  channel: OpenChannel,
  { id, event }: { readonly id: string; readonly event: ChannelEvent },
  { privateHosts, resolve, timeoutMs = sendMs }: SenderParts,
): Promise<Outcome> {
  const url = new URL(channel.address)
  if (url.protocol !== 'https:' && !mayBeClear(privateHosts, url)) {
    return outcome({ problem: 'The address must begin with https://.' })
  }
  const own = { ...limits, headersMs: timeoutMs, silenceMs: timeoutMs, totalMs: timeoutMs }
  const chain = openChain(createGuard(privateHosts, resolve), own)
  const body = bodyFor(channel, event)
  try {
    const reply = await chain.request(
      url,
      'POST',
      {
        'content-type': 'application/json',
        'user-agent': 'Sightline-Notifications',
        ...(channel.kind === 'webhook' &&
          webhookHeaders(channel.secrets, { id, at: new Date(), body })),
      },
      body,
    )
    try {
      const { status } = reply
      const isSent = status >= 200 && status < 300
      // What the receiver says of a taken event is not needed, and may take its time.
      const { text } = await textOf(reply, replyBytes).catch(() => ({ text: '' }))
      // PostgreSQL takes no NUL.
      const said = text.replaceAll('\0', '')
      if (isSent) return outcome({ isSent, status, reply: said })
      const slackEnd = channel.kind === 'slack' ? slackEnds[said.trim()] : undefined
      const words = slackEnd ?? statusWords(status)
      return outcome({
        status,
        reply: said,
        problem: words,
        end: status === 410 || slackEnd !== undefined ? words : null,
        retryAfterMs: retryAfterMs(reply.header('retry-after')[0] ?? ''),
      })
    } finally {
      reply.close()
    }
  } catch (error) {
    const { kind } = failureOf(error)
    return outcome({ problem: failureWords[kind] ?? 'The receiver does not answer.' })
  } finally {
    await chain.close()
  }
}

const failureWords: Readonly<Record<string, string>> = {
  refused:
    'The address is one of a private network. Whoever runs Sightline can open it with ALLOW_PRIVATE_HOSTS.',
  timeout: 'The receiver did not answer within 15 seconds.',
  dns: 'There is no server of this name.',
  certificate: 'The certificate of the receiver is not valid.',
}
