import { mailSettingsOf } from '../../core/mail/settings.ts'
import type { JobData } from '../../core/queues.ts'
import { baseUrlOf } from '../../core/settings.ts'
import { sendDue } from '../../resolvers/channels/deliveries.ts'
import { linkOfReport } from '../../resolvers/reports/share.ts'
import { sendTo } from '../../sending/channel.ts'
import { openMailer } from '../../sending/mail.ts'
import type { JobSteps } from '../job.ts'

/** Sends all that is due for one channel. What fails has its next time in its record, so no error repeats the job. */
export const deliverJob: JobSteps<JobData['deliver']> = {
  async run({ channelId }, { db, settings, secrets, signal, stopping }) {
    const parts = { baseUrl: baseUrlOf(settings), signingSecrets: secrets.signingSecrets }
    const mail = mailSettingsOf(settings)
    const mailer = mail && openMailer(mail)
    const sender = { privateHosts: settings.ALLOW_PRIVATE_HOSTS, mailer }
    try {
      await sendDue(db, parts, channelId, {
        addressOf: async ({ type, data }) =>
          type === 'report.ready'
            ? await linkOfReport(db, String(data.reportId), parts)
            : data.link,
        send: (channel, delivery) => sendTo(channel, delivery, sender),
        isStopping: () => signal.aborted || stopping.aborted,
      })
    } finally {
      mailer?.close()
    }
  },
  // The look of the next minute finds what is due.
  fail: async () => undefined,
}
