import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export interface Mailbox {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** The next recipient is refused with this status. */
  refuse(status: number | null): void
  close(): Promise<void>
}

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly mail: ParsedMail
  readonly raw: string
}

/** A real mail server on a free port of its own, which keeps what it gets. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = []
  let refused: number | null = null
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (refused === null) return done()
      done(Object.assign(new Error('No such user here'), { responseCode: refused }))
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        const raw = Buffer.concat(parts)
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, mail: await simpleParser(raw), raw: String(raw) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (status) => {
      refused = status
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
