import { z } from 'zod'
import { confirmationMail } from '../../core/channels/mail.ts'
import { openSecret } from '../../core/collecting/providers/sealed.ts'
import type { MailContent } from '../../core/mail/template.ts'
import { openTokenOf, signToken } from '../../core/tokens.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { commandLine, recordEdits } from '../shared/audit-trail.ts'
import { inTransaction } from '../shared/transaction.ts'
import { dropWaiting, sealedPlaceOf } from './channels.ts'

/** What the links of mails are made of. */
export interface LinkParts {
  readonly baseUrl: string
  readonly signingSecrets: readonly [string, ...string[]]
}

/** What a link in a mail does, once its reader presses the button. */
export type LinkAct = 'confirm' | 'unsubscribe'

const mailLinkPaths: Readonly<Record<LinkAct, string>> = {
  confirm: '/mail/confirm',
  unsubscribe: '/mail/unsubscribe',
}

const purposes: Readonly<Record<LinkAct, string>> = {
  confirm: 'channel confirm',
  unsubscribe: 'channel unsubscribe',
}
const confirmMs = 7 * 24 * 60 * 60 * 1000
const payload = z.object({ i: z.string().refine(isUuid), e: z.number().optional() })

/** A link that needs no sign-in: its signature says that the mail was ours. */
export function channelLink(act: LinkAct, id: string, { baseUrl, signingSecrets }: LinkParts) {
  const ends = act === 'confirm' ? { e: Date.now() + confirmMs } : {}
  const token = signToken(signingSecrets[0], purposes[act], { i: id, ...ends })
  return `${baseUrl}${mailLinkPaths[act]}?token=${token}`
}

/** The mail that asks the owner of an address; null where it is confirmed, or gone. */
export async function mailOfChannel(
  db: Db,
  parts: LinkParts,
  id: string,
): Promise<{ to: string; content: MailContent } | null> {
  const row = await db.channel.findFirst({
    where: { id, kind: 'email', state: 'unconfirmed' },
    include: { workspace: { select: { name: true } } },
  })
  const opened = row && openSecret(parts.signingSecrets, sealedPlaceOf(row), row.sealed)
  if (!row || !opened) return null
  const content = confirmationMail(row.workspace.name, channelLink('confirm', id, parts))
  return { to: opened.text, content }
}

/** What the page of a link shows; null for a link that is over. */
export interface ShownLink {
  readonly channel: string
  readonly workspace: string
  readonly isDone: boolean
}

async function channelOf(db: Db, parts: LinkParts, act: LinkAct, token: string) {
  const { data } = payload.safeParse(openTokenOf(parts.signingSecrets, purposes[act], token))
  if (!data || (data.e ?? Number.POSITIVE_INFINITY) < Date.now()) return null
  const found = await db.channel.findFirst({
    where: { id: data.i, kind: 'email' },
    include: { workspace: { select: { name: true } } },
  })
  // An address that unsubscribed is confirmed by nobody but a member who enables the channel.
  return found
}

const isDone = (act: LinkAct, state: string) =>
  act === 'confirm' ? state !== 'unconfirmed' : state === 'disabled'

export async function showLink(
  db: Db,
  parts: LinkParts,
  act: LinkAct,
  token: string,
): Promise<ShownLink | null> {
  const found = await channelOf(db, parts, act, token)
  if (!found) return null
  const { name: channel, workspace, state } = found
  return { channel, workspace: workspace.name, isDone: isDone(act, state) }
}

/**
 * Confirms an address, or ends all mails to it. A second call changes nothing.
 * @returns false for a link that is over
 */
export async function followLink(
  db: Db,
  parts: LinkParts,
  act: LinkAct,
  token: string,
): Promise<boolean> {
  const found = await channelOf(db, parts, act, token)
  if (!found) return false
  const { id, workspaceId, state } = found
  if (isDone(act, state)) return true
  const data =
    act === 'confirm'
      ? { state: 'on' as const }
      : { state: 'disabled' as const, disabledReason: 'The reader unsubscribed.' }
  await inTransaction(db, async (tx) => {
    const { count } = await tx.channel.updateMany({ where: { id, state }, data })
    if (count === 0) return
    if (act === 'unsubscribe') await dropWaiting(tx, id)
    await recordEdits(tx, commandLine, { workspaceId }, [
      {
        action: `channel.${act}`,
        subject: ['channel', id],
        before: { state },
        after: { state: data.state },
      },
    ])
  })
  return true
}
