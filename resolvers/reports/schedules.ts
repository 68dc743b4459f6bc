import { randomUUID } from 'node:crypto'
import { Temporal } from '@js-temporal/polyfill'
import { z } from 'zod'
import { isTimeZone, nextDue } from '../../core/collecting/due.ts'
import { Fault, notFound } from '../../core/errors.ts'
import type { ReportContent } from '../../core/reports/content.ts'
import { type ReportType, reportTypes } from '../../core/reports/input.ts'
import { numbersIn } from '../../core/reports/shown.ts'
import { dayText } from '../../core/text/days.ts'
import { isUuid } from '../../core/uuid.ts'
import type { DateRange } from '../../core/window.ts'
import type { Db } from '../../prisma/client.ts'
import { requireChannel } from '../channels/channels.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { deliverTo, pagePath } from '../shared/deliver.ts'
import { check } from '../shared/inputs.ts'
import { jobScope } from '../shared/job-scope.ts'
import { requireFeature } from '../shared/plan.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { inTransaction } from '../shared/transaction.ts'
import { createReport } from './create.ts'

export type ReportScheduleRow = Awaited<ReturnType<typeof loadReportSchedules>>[number][number]
export type ReportPace = ReportScheduleRow['every']

const shown = {
  id: true,
  channelId: true,
  projectId: true,
  reportType: true,
  every: true,
  day: true,
  hour: true,
  timeZone: true,
  linkDays: true,
  nextAt: true,
  problem: true,
  project: { select: { name: true } },
} as const

/** Scheduled reports of each channel, the oldest first. */
export async function loadReportSchedules(db: Db, channelIds: readonly string[]) {
  const rows = await db.reportSchedule.findMany({
    where: { channelId: { in: [...channelIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: shown,
  })
  return channelIds.map((id) => rows.filter(({ channelId }) => channelId === id))
}

const whole = (from: number, to: number) =>
  z.number().int().min(from, `must be ${from} to ${to}`).max(to, `must be ${from} to ${to}`)

const terms = z
  .object({
    reportType: z.enum(reportTypes, `must be one of ${reportTypes.join(', ')}`).default('combined'),
    every: z.enum(['week', 'month'], 'must be week or month').default('week'),
    // Each month has 28 days.
    day: whole(1, 28).default(1),
    hour: whole(0, 23).default(7),
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
      .default('UTC'),
    linkDays: whole(1, 365).nullable().default(30),
  })
  .refine(({ every, day }) => every === 'month' || day <= 7, {
    path: ['day'],
    error: 'must be 1 (Monday) to 7 (Sunday) for a report each week',
  })

type Terms = z.output<typeof terms>

/** The next time of a scheduled report after a moment. */
function nextOf(
  { every, day, hour, timeZone }: Pick<Terms, 'every' | 'day' | 'hour' | 'timeZone'>,
  after: Date,
): Date {
  const cron = every === 'week' ? `0 ${hour} * * ${day % 7}` : `0 ${hour} ${day} * *`
  const next = nextDue({ id: '', cron, timeZone, spreadMinutes: 0 }, after)
  // Each month has such an hour, and where a clock skips it, the one after.
  return next ?? new Date(after.getTime() + 31 * 86_400_000)
}

/** The seven days before a day, or the calendar month before it, as the clock of a time zone counts days. */
export function rangeBefore(
  { every, timeZone }: Pick<Terms, 'every' | 'timeZone'>,
  now: Date,
): DateRange {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  const month = today.with({ day: 1 })
  const [from, end] =
    every === 'week' ? [today.subtract({ days: 7 }), today] : [month.subtract({ months: 1 }), month]
  return { from: from.toString(), to: end.subtract({ days: 1 }).toString() }
}

export interface ReportScheduleInput extends z.input<typeof terms> {
  readonly channelId: string
  readonly projectId: string
}

export interface ReportScheduleResult extends WorkspaceChangeResult {
  readonly row: ReportScheduleRow
}

/**
 * Makes, shares and sends a report of a project to a channel each week or month. One of the same channel, project and pace
 * is changed.
 * @throws {Fault} `invalid_argument`; `not_found` for the channel or the project; `plan_upgrade_required`
 */
export function setReportSchedule(
  db: Db,
  actor: Actor,
  workspaceId: string,
  { channelId, projectId, ...input }: ReportScheduleInput,
): Promise<ReportScheduleResult> {
  const wanted = check(terms, input)
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const channel = await requireChannel(tx, workspaceId, channelId)
    const project = isUuid(projectId)
      ? await tx.project.findFirst({
          where: { id: projectId.toLowerCase(), workspaceId },
          include: { workspace: { select: { plan: true } } },
        })
      : null
    if (!project) throw notFound(projectId)
    requireFeature(project.workspace.plan, 'reportSharing')
    const unique = { channelId: channel.id, projectId: project.id, every: wanted.every }
    const before = await tx.reportSchedule.findUnique({
      where: { channelId_projectId_every: unique },
    })
    const isSame =
      before !== null &&
      before.setById === actor.userId &&
      Object.entries(wanted).every(([name, value]) => before[name as keyof Terms] === value)
    if (isSame) {
      const where = { id: before.id }
      const row = await tx.reportSchedule.findUniqueOrThrow({ where, select: shown })
      return { subjectId: before.id, edits: [], row }
    }
    const data = {
      ...wanted,
      setById: actor.userId,
      problem: null,
      nextAt: nextOf(wanted, new Date()),
    }
    const row = await tx.reportSchedule.upsert({
      where: { channelId_projectId_every: unique },
      create: { id: randomUUID(), ...unique, ...data },
      update: data,
      select: shown,
    })
    const edit: Edit = {
      action: 'reportSchedule.set',
      subject: ['channel', channel.id],
      after: { name: channel.name, project: project.name, ...wanted },
    }
    return { subjectId: row.id, edits: [edit], row }
  })
}

/**
 * Ends a scheduled report. Links of reports that were sent stay open.
 * @throws {Fault} `not_found`
 */
export function removeReportSchedule(
  db: Db,
  actor: Actor,
  workspaceId: string,
  scheduleId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: scheduleId.toLowerCase(), channel: { workspaceId } }
    const found = isUuid(scheduleId)
      ? await tx.reportSchedule.findFirst({ where, include: { channel: true, project: true } })
      : null
    if (!found) throw notFound()
    await tx.reportSchedule.delete({ where: { id: found.id } })
    const edit: Edit = {
      action: 'reportSchedule.remove',
      subject: ['channel', found.channelId],
      before: { name: found.channel.name, project: found.project.name, every: found.every },
    }
    return { subjectId: found.id, edits: [edit] }
  })
}

type Due = Awaited<ReturnType<typeof dueSchedules>>[number]

const dueSchedules = (db: Db, now: Date) =>
  db.reportSchedule.findMany({
    where: { nextAt: { lte: now } },
    include: { channel: true },
    orderBy: [{ nextAt: 'asc' }, { id: 'asc' }],
    take: 1000,
  })

const dayMs = 86_400_000

/** Why a report may not be sent; null where it may. Whoever set it up must be someone who may share reports today. */
async function refusalOf(tx: Db, { channel, setById }: Due): Promise<string | null> {
  if (channel.state !== 'on') return 'The channel is not on.'
  if (setById === null) return null
  const key = { workspaceId_userId: { workspaceId: channel.workspaceId, userId: setById } }
  const member = await tx.membership.findUnique({ where: key })
  if (member && member.role !== 'viewer') return null
  return 'Whoever set it up may no longer share reports. Set it again.'
}

/** What a project cannot have now, in words of its problem. What passes by itself is thrown. */
const lasting = ['plan_upgrade_required', 'project_not_runnable', 'quota_exceeded']

async function startReport(
  tx: Db,
  warehouse: ProjectScope['warehouse'],
  schedule: Due,
  now: Date,
): Promise<string | null> {
  const refusal = await refusalOf(tx, schedule)
  if (refusal !== null) return refusal
  const { id: scheduleId, projectId, reportType, linkDays, setById } = schedule
  const scope = await jobScope({ db: tx, warehouse }, projectId, now)
  if (!scope?.project.isActive) return 'The project is not active.'
  try {
    await createReport(
      scope,
      { userId: setById, keyId: null },
      {
        reportType: reportType satisfies ReportType,
        ...rangeBefore(schedule, now),
        share: true,
        scheduleId,
        sharedUntil: linkDays === null ? null : new Date(now.getTime() + linkDays * dayMs),
      },
    )
    return null
  } catch (error) {
    if (error instanceof Fault && lasting.includes(error.code)) return error.message
    throw error
  }
}

/**
 * Starts the reports that are due, and sets their next times. A service that was off makes one, and not one a week. While
 * the project makes another report, the next minute tries again.
 * @returns how many were started
 */
export async function startReports(
  { db, warehouse }: Pick<ProjectScope, 'db' | 'warehouse'>,
  now: Date,
): Promise<number> {
  let started = 0
  for (const schedule of await dueSchedules(db, now)) {
    try {
      await inTransaction(db, async (tx) => {
        const { id, nextAt } = schedule
        const { count } = await tx.reportSchedule.updateMany({
          where: { id, nextAt },
          data: { nextAt: nextOf(schedule, now) },
        })
        if (count === 0) return
        const problem = await startReport(tx, warehouse, schedule, now)
        await tx.reportSchedule.update({ where: { id }, data: { problem } })
        if (problem === null) started++
      })
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'rate_limited')) throw error
    }
  }
  return started
}

type Made = Pick<
  NonNullable<Awaited<ReturnType<Db['report']['findUnique']>>>,
  'id' | 'projectId' | 'title' | 'scheduleId' | 'sharedUntil'
>

const mostFacts = 4
const numberText = numbersIn('en-GB')

/**
 * Sends a completed report to the channel of its schedule. Its link is made when it is sent: one that was closed in between
 * goes nowhere.
 * @returns the channel; undefined for a report of no schedule, and for a channel that takes nothing
 */
export async function sendScheduledReport(
  tx: Db,
  { id: reportId, projectId, title, scheduleId, sharedUntil }: Made,
  { sections }: ReportContent,
): Promise<string | undefined> {
  if (scheduleId === null) return undefined
  const schedule = await tx.reportSchedule.findUnique({
    where: { id: scheduleId },
    include: { channel: true, project: { select: { id: true, name: true, domain: true } } },
  })
  if (schedule?.channel.state !== 'on') return undefined
  const { channel, project } = schedule
  const end = sharedUntil && dayText(sharedUntil)
  await deliverTo(tx, [channel.id], {
    type: 'report.ready',
    timestamp: new Date().toISOString(),
    data: {
      reportId,
      workspaceId: channel.workspaceId,
      project,
      title,
      text: end === null ? '' : `The link works until ${end} (UTC).`,
      facts: (sections[0]?.metrics ?? []).slice(0, mostFacts).map(({ label, value, unit }) => ({
        label,
        value: numberText(value, unit),
      })),
      link: pagePath(projectId, 'reports'),
    },
  })
  return channel.id
}

/** Notes on its schedule that a report could not be made. */
export async function noteFailedReport(db: Db, reportId: string): Promise<void> {
  await db.reportSchedule.updateMany({
    where: { reports: { some: { id: reportId } } },
    data: { problem: 'The report could not be made.' },
  })
}
