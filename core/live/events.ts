/** Events of a project, as PostgreSQL announces them and as readers get them. */

/** The channel of PostgreSQL. The triggers of the catalog name it too. */
export const liveChannel = 'sightline_live'

/** The events that a reader may choose. */
export const eventKinds = [
  'data_imported',
  'answers_reanalyzed',
  'audit_progressed',
  'report_progressed',
  'sitemap_progressed',
  'opportunities_evaluated',
  'alarms_changed',
  'project_edited',
  'crawlers_visited',
] as const
export type EventKind = (typeof eventKinds)[number]

/** Hits of one crawler. */
export interface CrawlerHits {
  readonly botName: string
  readonly hits: number
}

interface EventOf<Kind extends EventKind | 'updates_missed'> {
  readonly kind: Kind
  readonly projectId: string
  /** The newest change that the event is about. */
  readonly at: Date
}

export interface SubjectEvent extends EventOf<'audit_progressed' | 'report_progressed'> {
  /** The audit or report. */
  readonly subjectId: string
}

export interface EditEvent extends EventOf<'project_edited'> {
  /** Actions of the audit trail, each once. */
  readonly actions: readonly string[]
}

export interface HitsEvent extends EventOf<'crawlers_visited'> {
  /** The hits arrived after this time. */
  readonly from: Date
  readonly crawlers: readonly CrawlerHits[]
}

type PlainKind =
  | Exclude<
      EventKind,
      'audit_progressed' | 'report_progressed' | 'project_edited' | 'crawlers_visited'
    >
  | 'updates_missed'

export type ProjectEvent = SubjectEvent | EditEvent | HitsEvent | EventOf<PlainKind>

/** Stands in a stream for a possible loss of access: the reader's key is checked at once. */
export const recheck = Symbol('recheck')

export type LiveItem = ProjectEvent | typeof recheck

/** A change of who may read: everything that the key, the user or the project concerns is checked. */
export interface AccessNotice {
  readonly kind: 'access'
  readonly keyId?: string
  readonly userId?: string
  readonly projectId?: string
  readonly workspaceId?: string
}

interface ChangeNotice {
  readonly kind: EventKind
  readonly projectId: string
  readonly subjectId?: string
  readonly action?: string
}

/** The announcement of an import, in the form that `readNotice` reads. */
export function importNotice(projectId: string): string {
  return JSON.stringify({ kind: 'data_imported', projectId } satisfies ChangeNotice)
}

const isKind = (kind: unknown): kind is EventKind => eventKinds.some((known) => known === kind)

/** A payload of the channel; null for one that this version does not know. */
export function readNotice(payload: string, at: Date): AccessNotice | ProjectEvent | null {
  let read: Partial<AccessNotice | ChangeNotice> | null
  try {
    read = JSON.parse(payload)
  } catch {
    return null
  }
  if (read?.kind === 'access') return read as AccessNotice
  const { kind, projectId, subjectId, action } = (read ?? {}) as Partial<ChangeNotice>
  if (!isKind(kind) || !projectId) return null
  const event = { projectId, at }
  switch (kind) {
    case 'audit_progressed':
    case 'report_progressed':
      return subjectId ? { kind, ...event, subjectId } : null
    case 'project_edited':
      return action ? { kind, ...event, actions: [action] } : null
    case 'crawlers_visited':
      return null
    default:
      return { kind, ...event }
  }
}

/** What a payload of the channel is about, for who remembers access: one project, or `all`; null for neither. */
export function readAccessNotice(payload: string): 'all' | { readonly projectId: string } | null {
  let read: { kind?: unknown; projectId?: unknown } | null
  try {
    read = JSON.parse(payload)
  } catch {
    return 'all'
  }
  if (typeof read?.projectId === 'string' && read.kind !== 'access') {
    return { projectId: read.projectId }
  }
  return read?.kind === 'access' ? 'all' : null
}

/** Items with the same key merge while they wait. */
export function mergeKey(item: LiveItem): string | typeof recheck {
  if (item === recheck) return recheck
  return 'subjectId' in item ? `${item.kind}:${item.subjectId}` : item.kind
}

function sumHits(all: readonly CrawlerHits[]): CrawlerHits[] {
  const sums = new Map<string, number>()
  for (const { botName, hits } of all) sums.set(botName, (sums.get(botName) ?? 0) + hits)
  return [...sums].map(([botName, hits]) => ({ botName, hits })).sort((a, b) => b.hits - a.hits)
}

/** One item for two with the same key. */
export function merged(earlier: LiveItem, later: LiveItem): LiveItem {
  if (earlier === recheck || later === recheck) return later
  if (earlier.kind === 'project_edited' && later.kind === 'project_edited') {
    return { ...later, actions: [...new Set([...earlier.actions, ...later.actions])] }
  }
  if (earlier.kind === 'crawlers_visited' && later.kind === 'crawlers_visited') {
    const crawlers = sumHits([...earlier.crawlers, ...later.crawlers])
    return { ...later, from: earlier.from, crawlers }
  }
  return later
}
