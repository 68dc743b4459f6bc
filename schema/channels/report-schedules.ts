import {
  loadReportSchedules,
  type ReportPace,
  type ReportScheduleResult,
  type ReportScheduleRow,
  removeReportSchedule,
  setReportSchedule,
} from '../../resolvers/reports/schedules.ts'
import { adminWorkspace } from '../kit/authorize.ts'
import { freshLoader } from '../kit/batch.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import { wordsOf } from '../kit/words.ts'
import { reportType } from '../reports/report.ts'
import { type OfWorkspace, workspaceChange, workspaceMutation } from '../workspaces/mutation.ts'
import { channel } from './channels.ts'

const pace = wordsOf<ReportPace>('ReportPace', 'How often a report is sent.', {
  week: 'Each week, about the seven days before.',
  month: 'Each month, about the calendar month before.',
})

const dayOf = 'Day of the week, where 1 is Monday and 7 Sunday; or day of the month, 1 to 28.'

const schedule = builder.objectRef<ReportScheduleRow>('ReportSchedule').implement({
  description: 'A report of a project that is made, shared and sent to a channel on a schedule.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the schedule.' }),
    channelId: t.exposeID('channelId', { description: 'UUID of the channel.' }),
    projectId: t.exposeID('projectId', { description: 'UUID of the project.' }),
    projectName: t.string({
      description: 'Name of the project.',
      resolve: ({ project }) => project.name,
    }),
    reportType: t.expose('reportType', {
      type: reportType,
      description: 'Subject of the reports.',
    }),
    every: t.expose('every', { type: pace, description: 'How often a report is sent.' }),
    day: t.exposeInt('day', { description: dayOf }),
    hour: t.exposeInt('hour', { description: 'Hour of the day, 0 to 23, in the time zone.' }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA name of the time zone, such as `Europe/Berlin`.',
    }),
    linkDays: t.exposeInt('linkDays', {
      nullable: true,
      description: 'Days that the link of each report is open; null for no end.',
    }),
    nextAt: t.expose('nextAt', { type: 'DateTime', description: 'Time of the next report.' }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the last report was not sent; null where it was, or none was due yet.',
    }),
  }),
})

/** Without a cache: one request may change a channel and read it. */
const schedulesOf = oncePerRequest(({ services: { db } }) =>
  freshLoader((ids) => loadReportSchedules(db, ids)),
)

builder.objectField(channel, 'reportSchedules', (t) =>
  t.field({
    type: [schedule],
    description: 'Reports that the channel gets on a schedule, the oldest first.',
    resolve: ({ id }, _args, context) => schedulesOf(context).load(id),
  }),
)

workspaceMutation('setReportSchedule', {
  access: adminWorkspace,
  type: builder.objectRef<OfWorkspace<ReportScheduleResult>>('ReportScheduleChange').implement({
    description: 'A scheduled report that was set.',
    fields: (t) => ({
      changed: t.exposeBoolean('changed', {
        description: 'False when it was set like this already, so nothing was written.',
      }),
      reportSchedule: t.expose('row', { type: schedule, description: 'The schedule.' }),
    }),
  }),
  description:
    'Makes a report of a project each week or month, opens its link, and sends it to a channel. A schedule of the same channel, project and pace is changed. It ends where whoever set it may no longer share reports.',
  problems: ['plan_upgrade_required'],
  args: builder.args((t) => ({
    channelId: t.id({ required: true, description: 'Id of the channel.' }),
    projectId: t.id({ required: true, description: 'Id of a project of the workspace.' }),
    reportType: t.field({
      type: reportType,
      description: 'Subject of the reports. Default `combined`.',
    }),
    every: t.field({ type: pace, description: 'How often. Default `week`.' }),
    day: t.int({ description: `${dayOf} Default 1.` }),
    hour: t.int({ description: 'Hour of the day, 0 to 23. Default 7.' }),
    timeZone: t.string({ description: 'IANA name of the time zone. Default `UTC`.' }),
    linkDays: t.int({
      description: 'Days that each link is open, 1 to 365. Default 30; null: no end.',
    }),
  })),
  change: ({ db, actor, workspaceId }, args) =>
    setReportSchedule(db, actor, workspaceId, {
      channelId: String(args.channelId),
      projectId: String(args.projectId),
      reportType: args.reportType ?? undefined,
      every: args.every ?? undefined,
      day: args.day ?? undefined,
      hour: args.hour ?? undefined,
      timeZone: args.timeZone ?? undefined,
      linkDays: args.linkDays,
    }),
})

workspaceMutation('removeReportSchedule', {
  access: adminWorkspace,
  type: workspaceChange,
  description: 'Ends a scheduled report. Links of reports that were sent stay open.',
  args: builder.args((t) => ({
    scheduleId: t.id({ required: true, description: 'Id of the schedule.' }),
  })),
  change: ({ db, actor, workspaceId }, { scheduleId }) =>
    removeReportSchedule(db, actor, workspaceId, String(scheduleId)),
})
