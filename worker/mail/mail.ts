import { randomUUID } from 'node:crypto'
import { mailSettingsOf } from '../../core/mail/settings.ts'
import { renderMail } from '../../core/mail/template.ts'
import type { JobData } from '../../core/queues.ts'
import { baseUrlOf } from '../../core/settings.ts'
import { mailOfChannel } from '../../resolvers/channels/links.ts'
import { mailOfInvitation, mailOfReset, noteInvitationMail } from '../../resolvers/members/mails.ts'
import { openMailer } from '../../sending/mail.ts'
import type { JobSteps } from '../job.ts'

const contents = { invitation: mailOfInvitation, reset: mailOfReset, channel: mailOfChannel }

/** Mails an invitation, or the link for a new password. A repeated mail of an invitation has the same `Message-ID`. */
export const mailJob: JobSteps<JobData['mail']> = {
  async run({ id, kind, address = '' }, { db, settings, secrets }) {
    const mail = mailSettingsOf(settings)
    if (!mail) return
    const parts = { baseUrl: baseUrlOf(settings), signingSecrets: secrets.signingSecrets }
    const found = await contents[kind](db, parts, kind === 'reset' ? address : id)
    if (!found) return
    const messageId = kind === 'reset' ? `reset-${randomUUID()}` : `${kind}-${id}`
    const mailer = openMailer(mail)
    try {
      await mailer.send({ to: found.to, id: messageId, ...renderMail(found.content) })
      if (kind === 'invitation') await noteInvitationMail(db, id, null)
    } catch (error) {
      if (kind === 'invitation')
        await noteInvitationMail(db, id, (error as Error).message.slice(0, 500))
      throw error
    } finally {
      mailer.close()
    }
  },
  // Each try has noted its problem at the invitation.
  fail: async () => undefined,
}
