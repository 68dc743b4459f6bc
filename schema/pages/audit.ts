import { builder } from '../kit/builder.ts'

export const auditStates = ['queued', 'running', 'completed', 'failed'] as const

/** What a check of pages came to; scores are 0 to 100. */
export interface Audit {
  readonly id: string
  readonly status: (typeof auditStates)[number]
  readonly pageCount: number
  readonly issueCount: number
  readonly scores: AuditScores | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly completedAt: Date | null
}

interface AuditScores {
  readonly overall: number
  readonly technical: number
  readonly content: number
  readonly aiReadiness: number
}

const auditState = builder.enumType('AuditStatus', {
  description: 'The progress of an audit.',
  values: {
    queued: { description: 'The audit waits for its turn.' },
    running: { description: 'The audit checks pages.' },
    completed: { description: 'The audit checked all pages.' },
    failed: { description: 'The audit ended before all pages were checked.' },
  },
})

const scores = builder.objectRef<AuditScores>('AuditScores').implement({
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

export const auditType = builder.objectRef<Audit>('Audit').implement({
  description: 'An audit: a check of pages.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID of the audit.' }),
    status: t.expose('status', { type: auditState, description: 'Progress of the audit.' }),
    pageCount: t.expose('pageCount', {
      type: 'SafeInt',
      description: 'Number of pages that the audit checks.',
    }),
    issueCount: t.expose('issueCount', {
      type: 'SafeInt',
      description: 'Number of issues that the audit found.',
    }),
    scores: t.expose('scores', {
      type: scores,
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
      description: 'Time when the audit ended; null until then.',
    }),
  }),
})
