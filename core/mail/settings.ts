import type { Settings } from '../settings.ts'

/** The mail server and the sender; null where the service sends no mail. */
export function mailSettingsOf({ SMTP_URL: url, MAIL_FROM: from }: Settings) {
  return url === undefined || from === undefined ? null : { url, from }
}
