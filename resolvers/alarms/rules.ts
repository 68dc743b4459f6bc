import { areRefused, type Condition, capState, hasFailed } from '../../core/alarms/kinds/rules.ts'
import { loadCoverage } from '../collecting/runs.ts'
import { loadSpending } from '../collecting/spending.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { statusOfMany } from '../traffic/status.ts'
import { readRequests } from './series.ts'

const degraded = (
  problem: Condition['problem'],
  { subject = '', name = '', detail = '', level = 'warn' as Condition['level'] } = {},
): Condition => ({
  kind: 'data.degraded',
  subject: subject === '' ? problem : `${problem} ${subject}`,
  level,
  problem,
  name,
  detail,
})

async function ofTracker(scope: ProjectScope): Promise<Condition[]> {
  const [traffic] = await statusOfMany([scope])
  return traffic?.status === 'stale' ? [degraded('tracker_silent')] : []
}

async function ofSchedules({ db, project }: ProjectScope): Promise<Condition[]> {
  const where = { projectId: project.id, enabled: true, problem: { not: null } }
  const schedules = await db.schedule.findMany({ where, orderBy: { id: 'asc' } })
  return schedules.map(({ id, name, problem }) =>
    degraded('schedule_failed', { subject: id, name, detail: problem ?? '' }),
  )
}

/** The newest run that ended: an earlier one is history. */
async function ofRuns({ db, project }: ProjectScope): Promise<Condition[]> {
  const run = await db.run.findFirst({
    where: { projectId: project.id, completedAt: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  if (!run) return []
  const coverage = await loadCoverage(db, [run.id])
  const of = coverage.flat()
  const asked = of.reduce((sum, row) => sum + row.asked, 0)
  const failed = of.reduce((sum, row) => sum + row.failed, 0)
  if (run.status !== 'failed' && !hasFailed({ asked, failed })) return []
  return [
    degraded('run_failed', { detail: run.error ?? `${failed} of ${asked} questions failed.` }),
  ]
}

async function ofSpending({ db, project }: ProjectScope, now: Date): Promise<Condition[]> {
  const [spending] = await loadSpending(db, [project.id], now)
  if (!spending) return []
  const { today, thisMonth, dayCap, monthCap } = spending
  const caps = [
    ['day', today, dayCap],
    ['month', thisMonth, monthCap],
  ] as const
  return caps.flatMap(([name, spent, cap]) => {
    const state = capState(spent, cap)
    if (state === null) return []
    const detail = `$${spent.toFixed(2)} of $${(cap ?? 0).toFixed(2)}`
    return state === 'near'
      ? [degraded('cap_near', { subject: name, name, detail, level: 'info' })]
      : [degraded('cap_reached', { subject: name, name, detail })]
  })
}

/** Quota and faults of the source pass: they matter once a day of data is missing. */
const passing = new Set(['quota', 'unavailable'])
const passingMs = 86_400_000

/** Of a site or property, its feed knows more than its link. */
async function ofConnections({ db, project }: ProjectScope, now: Date): Promise<Condition[]> {
  const where = { projectId: project.id, problem: { not: null } }
  const orderBy = { id: 'asc' } as const
  const [refused, feeds] = await Promise.all([
    db.connection.findMany({ where, orderBy }),
    db.dataFeed.findMany({ where, orderBy }),
  ])
  const failing = feeds.filter(
    ({ problem, failingSince }) =>
      !passing.has(problem ?? '') || now.getTime() - (failingSince?.getTime() ?? 0) >= passingMs,
  )
  const known = new Set<string>(failing.map(({ kind }) => kind))
  return [
    ...failing.map(({ id, name, label, problemText }) =>
      degraded('connection_refused', {
        subject: id,
        name: label ?? name,
        detail: problemText ?? '',
      }),
    ),
    ...refused
      .filter(({ kind }) => !known.has(kind))
      .map(({ id, host, kind, problem }) =>
        degraded('connection_refused', {
          subject: id,
          name: host ?? kind,
          detail: `${kind === 'bingWebmaster' ? 'Bing' : 'Google'} ${problem === 'notFound' ? 'does not know it' : 'denied access'}.`,
        }),
      ),
  ]
}

async function ofKeys({ db, project }: ProjectScope): Promise<Condition[]> {
  const found = await db.project.findUnique({
    where: { id: project.id },
    select: {
      schedules: { where: { enabled: true }, select: { keys: true } },
      workspace: { select: { providerKeys: { where: { refusedAt: { not: null } } } } },
    },
  })
  const schedules = found?.schedules ?? []
  // A schedule without labels asks with every key; without a schedule, no key is asked with.
  const isUsed = (label: string) =>
    schedules.some(({ keys }) => keys.length === 0 || keys.includes(label))
  return (found?.workspace.providerKeys ?? [])
    .filter(({ label }) => isUsed(label))
    .map(({ id, label, refusal }) =>
      degraded('key_refused', { subject: id, name: label, detail: refusal ?? '' }),
    )
}

async function ofCrawlers(scope: ProjectScope, now: Date): Promise<Condition[]> {
  const vendors = await readRequests(scope, now)
  return vendors.filter(areRefused).map(({ vendor, requests, refused }) => ({
    kind: 'crawlers.refused',
    subject: `requests_refused ${vendor}`,
    level: 'warn',
    problem: 'requests_refused',
    name: vendor,
    detail: `${refused} of ${requests} requests`,
  }))
}

/** What the newest audit says of robots.txt. */
const robotsChecks = ['ai-search-bots-blocked', 'ai-training-bots-blocked'] as const

async function ofRobots({ db, project }: ProjectScope): Promise<Condition[]> {
  const issues = await db.issue.findMany({
    where: { projectId: project.id, status: 'open', check: { in: [...robotsChecks] } },
    orderBy: { check: 'asc' },
  })
  return issues.map(({ check, evidence }) => ({
    kind: 'crawlers.refused',
    subject: `robots_forbid ${check}`,
    // To keep models from learning is a choice.
    level: check === 'ai-search-bots-blocked' ? 'warn' : 'info',
    problem: 'robots_forbid',
    name: crawlersIn(evidence),
    detail: '',
  }))
}

/** The names of crawlers in the evidence of an issue. */
function crawlersIn(evidence: unknown): string {
  const entries = Array.isArray(evidence) ? (evidence as { readonly crawler?: string }[]) : []
  return [...new Set(entries.flatMap(({ crawler }) => crawler ?? []))].join(', ')
}

const oldBackupMs = 7 * 86_400_000

/** Who never made a backup may keep copies in another way. */
function ofBackup(takenAt: Date | null, now: Date): Condition[] {
  if (takenAt === null || now.getTime() - takenAt.getTime() <= oldBackupMs) return []
  return [degraded('backup_old', { detail: takenAt.toISOString().slice(0, 10) })]
}

/**
 * What is wrong with the data and the site of a project now.
 * @param backupAt the time of the newest backup; null where none is known
 */
export async function conditionsOf(
  scope: ProjectScope,
  now: Date,
  backupAt: Date | null,
): Promise<Condition[]> {
  const found = await Promise.all([
    ofTracker(scope),
    ofSchedules(scope),
    ofRuns(scope),
    ofSpending(scope, now),
    ofConnections(scope, now),
    ofKeys(scope),
    ofCrawlers(scope, now),
    ofRobots(scope),
  ])
  return [...found.flat(), ...ofBackup(backupAt, now)]
}
