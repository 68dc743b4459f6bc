import { createTransport } from 'nodemailer'
import type { MailParts } from '../core/mail/template.ts'

/** The mail server of SMTP_URL, and the address that mails come from. */
export interface MailSettings {
  readonly url: string
  readonly from: string
}

export interface OutgoingMail extends MailParts {
  readonly to: string
  /** Of the thing that the mail is about: the same for each try, so that clients show one mail. */
  readonly id: string
  /** What it shares with other mails: most clients show those as one conversation. */
  readonly thread?: string | undefined
  /** Ends these mails by one click. @see RFC 8058 */
  readonly unsubscribeUrl?: string | undefined
}

/** The mail server took no mail. */
export class MailFault extends Error {
  /** The reply of the server, such as 550; null where none came. */
  readonly status: number | null
  /** Whether the server knows no such recipient. */
  readonly isGone: boolean
  constructor(message: string, status: number | null, isGone: boolean) {
    super(message)
    this.name = 'MailFault'
    this.status = status
    this.isGone = isGone
  }
}

export interface Mailer {
  /** @throws {MailFault} */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

const timeoutMs = 15_000

/** The domain of an address, also in `Name <address>`. */
const domainOf = (from: string) => /@([^\s<>"]+)>?\s*$/.exec(from)?.[1] ?? 'sightline.invalid'

function faultOf(error: unknown): MailFault {
  const { message, responseCode, code } = error as Error & {
    responseCode?: number
    code?: string
  }
  const status = responseCode ?? null
  // 550 may be about the sender too: only the refusal of a recipient says that the address is gone.
  return new MailFault(message, status, status === 550 && code === 'EENVELOPE')
}

/** Sends mails by SMTP. A mail has no file and loads nothing: what a name says is never read from a disk or a site. */
export function openMailer({ url, from }: MailSettings): Mailer {
  const address = new URL(url)
  const port = Number(address.port)
  const secure = address.protocol === 'smtps:'
  const user = decodeURIComponent(address.username)
  const transport = createTransport({
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: port || (secure ? 465 : 587),
    secure,
    ...(user && { auth: { user, pass: decodeURIComponent(address.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, id, thread, unsubscribeUrl }) {
      try {
        await transport.sendMail({
          from,
          // An object: a text would be parsed, and could name more than one.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${domainOf(from)}>`,
          ...(thread !== undefined && { references: `<${thread}@${domainOf(from)}>` }),
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
      } catch (error) {
        throw faultOf(error)
      }
    },
    close: () => transport.close(),
  }
}
