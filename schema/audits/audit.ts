import DataLoader from 'dataloader'
import type { ScoreLoss } from '../../core/checks/scores.ts'
import {
  type Audit,
  type AuditProgress,
  type AuditScores,
  auditsById,
  breakdownsOf,
  progressOf,
} from '../../resolvers/audits/audits.ts'
import { builder } from '../kit/builder.ts'
import { oncePerRequest } from '../kit/context.ts'
import type { FieldsOf } from '../kit/report-fields.ts'
import { wordsOf } from '../kit/words.ts'

/** Without a cache: a request may change an audit. */
export const auditLoaders = oncePerRequest(({ services: { db } }) => ({
  audit: new DataLoader((ids: readonly string[]) => auditsById(db, ids), { cache: false }),
  progress: new DataLoader((all: readonly Audit[]) => progressOf(db, all), { cache: false }),
  breakdown: new DataLoader((all: readonly Audit[]) => breakdownsOf(db, all), { cache: false }),
}))

export const auditState = builder.enumType('AuditStatus', {
  description: 'The progress of an audit.',
  values: {
    queued: { description: 'The audit waits for its turn.' },
    running: { description: 'The audit checks pages.' },
    completed: { description: 'The audit ended, and its findings are issues.' },
    failed: { description: 'The audit ended before its findings became issues.' },
  },
})

export const auditScores = builder.objectRef<AuditScores>('AuditScores').implement({
  description: 'Scores of the audited pages, 0 to 100.',
  fields: (t) => ({
    overall: t.exposeFloat('overall', { description: 'Overall score, 0 to 100.' }),
    technical: t.exposeFloat('technical', { description: 'Technical score, 0 to 100.' }),
    content: t.exposeFloat('content', { description: 'Content score, 0 to 100.' }),
    aiReadiness: t.exposeFloat('aiReadiness', {
      description: 'Score of how well AI assistants can read the pages, 0 to 100.',
    }),
  }),
})

const auditProgress = builder.objectRef<AuditProgress>('AuditProgress').implement({
  description: 'Pages of an audit that are done.',
  fields: (t) => ({
    done: t.expose('done', {
      type: 'Int',
      description: 'Pages that no longer wait.',
    }),
    total: t.expose('total', { type: 'Int', description: 'Pages of the audit.' }),
  }),
})

const idAndState = (t: FieldsOf<Audit>) => ({
  id: t.exposeID('id', { description: 'UUID of the audit.' }),
  status: t.expose('status', { type: auditState, description: 'Progress of the audit.' }),
  pageCount: t.expose('pageCount', {
    type: 'Int',
    description: 'Pages that the audit checks.',
  }),
})

const listed = (t: FieldsOf<Audit>) => ({
  ...idAndState(t),
  isWholeSite: t.exposeBoolean('isWholeSite', {
    view: 'graph',
    description: 'Whether the audit was of all tracked pages: the scores of others are of fewer.',
  }),
  issueCount: t.expose('issueCount', {
    type: 'Int',
    description: 'Issues that the audit found, without ignored ones; 0 until its end.',
  }),
  scores: t.expose('scores', {
    type: auditScores,
    nullable: true,
    description: 'Scores of the pages; null until the audit is completed.',
  }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    description: 'Time when the audit was requested.',
  }),
  startedAt: t.expose('startedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time when the audit began; null until then.',
  }),
  completedAt: t.expose('completedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time when the audit ended, also when it failed; null until then.',
  }),
})

const ofOne = (t: FieldsOf<Audit>, view?: 'graph') => ({
  progress: t.field({
    type: auditProgress,
    ...(view ? { view } : {}),
    description: 'Pages of the audit that are done, and of all its pages.',
    resolve: (audit, _args, context) => auditLoaders(context).progress.load(audit),
  }),
  error: t.field({
    type: auditError,
    nullable: true,
    ...(view ? { view } : {}),
    resolve: ({ error }) => auditError.of(error),
    description:
      'Why the audit ended early: `cancelled`, `budget_exhausted` or `internal`; else null. Out of budget, other pages are skipped.',
  }),
})

const auditError = wordsOf('AuditError', 'The reason why an audit ended early.', {
  cancelled: 'A person cancelled the audit.',
  budget_exhausted:
    'The time or the requests for the audit are used up. Its other pages are skipped.',
  internal: 'The service failed.',
})

const scoreLoss = builder.objectRef<ScoreLoss>('ScoreLoss').implement({
  description: 'Points that one check costs the overall score of an audit.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Id of the check, such as `title-missing`.' }),
    points: t.exposeFloat('points', {
      description: 'Points that the check takes from the overall score of 100.',
    }),
    pages: t.expose('pages', {
      type: 'Int',
      description: 'Pages with the fault; 0 for a fault of the site.',
    }),
  }),
})

export const auditType = builder.objectRef<Audit>('Audit').implement({
  description: 'An audit: a check of pages.',
  fields: (t) => ({
    ...listed(t),
    ...ofOne(t, 'graph'),
    scoreBreakdown: t.field({
      type: [scoreLoss],
      view: 'graph',
      description: 'Points that each check costs the overall score, the most first.',
      resolve: (audit, _args, context) => auditLoaders(context).breakdown.load(audit),
    }),
  }),
})

/** REST shows progress and error of one audit, not in lists. */
export const auditRecord = builder.objectRef<Audit>('AuditRecord').implement({
  description: 'An audit with its progress.',
  fields: (t) => ({ ...listed(t), ...ofOne(t) }),
})

/** The part of an audit that REST shows of a request for it. */
export const requestedAudit = builder.objectRef<Audit>('RequestedAudit').implement({
  description: 'An audit that was requested.',
  fields: idAndState,
})
