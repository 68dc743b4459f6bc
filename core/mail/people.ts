import type { Role } from '../access.ts'
import { dayText } from '../text/days.ts'
import type { MailContent } from './template.ts'

const roles: Readonly<Record<Role, string>> = {
  owner: 'an owner, who has every right in the workspace',
  editor: 'an editor, who reads and changes data and settings',
  viewer: 'a viewer, who reads everything and changes nothing',
}

/** The mail of an invitation. */
export function invitationMail({
  workspace,
  role,
  link,
  expiresAt,
}: {
  readonly workspace: string
  readonly role: Role
  readonly link: string
  readonly expiresAt: Date
}): MailContent {
  const until = dayText(expiresAt)
  return {
    subject: `Join ${workspace} on Sightline`,
    blocks: [
      {
        kind: 'text',
        text: 'You are invited to a workspace of Sightline, which shows how AI platforms talk about brands.',
      },
      { kind: 'text', text: `You join as ${roles[role]}.` },
      { kind: 'button', label: 'Accept the invitation', url: link },
      { kind: 'small', text: `The link works once, until ${until} (UTC).` },
    ],
    footer:
      'An owner of the workspace entered this address. If you do not know the workspace, ignore this mail.',
  }
}

/** The mail that lets a person choose a new password. */
export function resetMail(link: string, minutes: number): MailContent {
  return {
    subject: 'Choose a new password for Sightline',
    blocks: [
      { kind: 'text', text: 'Somebody asked for a new password for this address.' },
      { kind: 'button', label: 'Choose a new password', url: link },
      {
        kind: 'small',
        text: `The link works once, within ${minutes} minutes. Your browsers are signed out when the password changes.`,
      },
    ],
    footer: 'If it was not you, ignore this mail: your password stays unchanged.',
  }
}
