import { type PageArgs, type Pagination, pagination } from '../../core/pagination.ts'
import type { Db } from '../../prisma/client.ts'
import { followsRow } from './lists/keyset.ts'

/** Who makes a change: a key and its user. The command line has neither. */
export interface Actor {
  readonly userId: string | null
  readonly keyId: string | null
}

export const commandLine: Actor = { userId: null, keyId: null }

export type SubjectType =
  | 'workspace'
  | 'member'
  | 'invitation'
  | 'key'
  | 'ingestKey'
  | 'providerKey'
  | 'channel'
  | 'run'
  | 'schedule'
  | 'project'
  | 'brandAlias'
  | 'ownDomain'
  | 'competitor'
  | 'competitorAlias'
  | 'topic'
  | 'prompt'
  | 'location'
  | 'connection'
  | 'googleClient'
  | 'googleAccount'
  | 'bingKey'
  | 'feed'
  | 'import'
  | 'report'
  | 'sitemap'
  | 'setup'
  | 'audit'
  | 'issue'
  | 'opportunity'
  | 'suggestion'
  | 'alarm'
  | 'monitor'
  | 'plannedChange'
  | 'mark'

/** Facts about a subject, without secrets. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly Json[]>>
type Json = string | number | boolean | null | Facts

/** One change to one subject. `before` is absent for a new subject, `after` for a removed one. */
export interface Edit {
  /** Subject and verb: `competitor.add`. */
  readonly action: string
  readonly subject: readonly [type: SubjectType, id: string]
  readonly before?: Facts
  readonly after?: Facts
}

/** The workspace, and mostly the project, that a change is recorded under. */
export interface AuditContext {
  readonly workspaceId: string
  readonly projectId?: string
}

/** Writes changes to the audit trail. Call it in the transaction of the changes. */
export async function recordEdits(
  tx: Db,
  actor: Actor,
  place: AuditContext,
  edits: readonly Edit[],
): Promise<void> {
  if (edits.length === 0) return
  await tx.auditEntry.createMany({
    data: edits.map(({ action, subject: [subjectType, subjectId], before, after }) => ({
      ...place,
      userId: actor.userId,
      keyId: actor.keyId,
      action,
      subjectType,
      subjectId,
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    })),
  })
}

/** The differences between two states of a subject; null when there are none. */
export function difference<State extends Facts>(
  before: State,
  after: Partial<State>,
): { before: Facts; after: Facts } | null {
  const names = Object.keys(after).filter((name) => before[name] !== after[name])
  if (names.length === 0) return null
  const only = (state: Facts): Facts =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: only(before), after: only(after as Facts) }
}

export type AuditRecord = Awaited<ReturnType<Db['auditEntry']['findMany']>>[number]

/** A page of the changes to a project, or to a workspace with its projects, newest first. */
export async function readAuditTrail(
  db: Db,
  where: { projectId: string } | { workspaceId: string },
  page: PageArgs,
): Promise<{ entries: AuditRecord[]; pagination: Pagination }> {
  const { limit, offset, afterKey } = page
  const [entries, total] = await Promise.all([
    db.auditEntry.findMany({
      where: { ...where, ...followsRow([['id', 'desc']], afterKey) },
      orderBy: { id: 'desc' },
      take: limit,
      skip: offset,
    }),
    db.auditEntry.count({ where }),
  ])
  return { entries, pagination: pagination({ limit, offset }, entries.length, total) }
}
