import { openSecret, sealSecret } from '../../core/collecting/providers/sealed.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { wakeFeeds } from './feeds.ts'

type Secrets = readonly [string, ...string[]]

export type BingKeyRow = Awaited<ReturnType<typeof loadBingKeys>>[number][number]

/** The key of each workspace to Bing Webmaster Tools, without its secret. */
export async function loadBingKeys(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.bingKey.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    select: { workspaceId: true, lastFour: true, endedAt: true, updatedAt: true },
  })
  return groupByWorkspace(workspaceIds, rows)
}

/** A key as Bing gives it: 32 digits and letters. @throws {Fault} `invalid_argument` */
export function readBingKey(key: string): string {
  const text = key.trim()
  if (/^[0-9a-z]{20,100}$/i.test(text)) return text
  throw invalid(
    'key',
    'must be the API key that Bing Webmaster Tools shows under Settings, API access: 20 to 100 letters and digits',
  )
}

const placeOf = (workspaceId: string) => `${workspaceId}:bing key`

/** The feeds of a workspace that Bing's key reads. */
const feedsOf = (workspaceId: string) => ({
  kind: 'bingWebmaster' as const,
  project: { workspaceId },
})

/**
 * Stores the key by which Bing Webmaster Tools is read. It replaces the former one, and what the key loads is loaded now.
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export function setBingKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  key: string,
  signingSecret: string,
): Promise<WorkspaceChangeResult> {
  const text = readBingKey(key)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const known = await tx.bingKey.findUnique({ where: { workspaceId } })
    const lastFour = text.slice(-4)
    const data = {
      lastFour,
      sealed: sealSecret(signingSecret, placeOf(workspaceId), text),
      userId: actor.userId,
      endedAt: null,
      updatedAt: new Date(),
    }
    await tx.bingKey.upsert({
      where: { workspaceId },
      create: { workspaceId, ...data },
      update: data,
    })
    await wakeFeeds(tx, feedsOf(workspaceId))
    const edit: Edit = {
      action: known ? 'bingKey.replace' : 'bingKey.add',
      subject: ['bingKey', workspaceId],
      ...(known && { before: { lastFour: known.lastFour } }),
      after: { lastFour },
    }
    return { subjectId: workspaceId, edits: [edit] }
  })
}

/**
 * Removes the key. Feeds stay with their rows, and wait for another key.
 * @throws {Fault} `not_found`
 */
export function removeBingKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const known = await tx.bingKey.findUnique({ where: { workspaceId } })
    if (!known) throw notFound()
    await tx.dataFeed.updateMany({
      where: feedsOf(workspaceId),
      data: {
        problem: 'signInEnded',
        problemText: 'The key to Bing Webmaster Tools was removed.',
        nextPullAt: null,
        failingSince: new Date(),
      },
    })
    await tx.bingKey.delete({ where: { workspaceId } })
    const edit: Edit = {
      action: 'bingKey.remove',
      subject: ['bingKey', workspaceId],
      before: { lastFour: known.lastFour },
    }
    return { subjectId: workspaceId, edits: [edit] }
  })
}

/** The key of a workspace, ready to ask with; null where there is none, or no signing secret opens it. */
export async function openBingKey(
  db: Db,
  workspaceId: string,
  signingSecrets: Secrets,
): Promise<string | null> {
  const row = await db.bingKey.findUnique({ where: { workspaceId } })
  const opened = row && openSecret(signingSecrets, placeOf(workspaceId), row.sealed)
  return opened?.text ?? null
}

/** The key of a workspace. @throws {Fault} `invalid_argument` where it has none */
export async function requireBingKey(
  db: Db,
  workspaceId: string,
  signingSecrets: Secrets,
): Promise<string> {
  const key = await openBingKey(db, workspaceId, signingSecrets)
  if (key === null) {
    throw invalid('workspaceId', 'has no key to Bing Webmaster Tools: run `setBingKey` first')
  }
  return key
}

/** Notes that Bing refuses the key. */
export async function noteBingKeyEnded(db: Db, workspaceId: string): Promise<void> {
  const where = { workspaceId, endedAt: null }
  await db.bingKey.updateMany({ where, data: { endedAt: new Date() } })
}
