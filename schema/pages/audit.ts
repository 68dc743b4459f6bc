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
  description: 'How far an audit is.',
  values: {
    queued: { description: 'It waits for its turn.' },
    running: { description: 'Pages are being checked.' },
    completed: { description: 'All pages were checked.' },
    failed: { description: 'It ended before all pages were checked.' },
  },
})

const scores = builder.objectRef<AuditScores>('AuditScores').implement({
  description: 'How well pages do, 0 to 100.',
  fields: (t) => ({
    overall: t.exposeFloat('overall', { description: 'In all.' }),
    technical: t.exposeFloat('technical', { description: 'In their technique.' }),
    content: t.exposeFloat('content', { description: 'In what they say.' }),
    aiReadiness: t.exposeFloat('aiReadiness', {
      description: 'In how well AI assistants can read them.',
    }),
  }),
})

export const auditType = builder.objectRef<Audit>('Audit').implement({
  description: 'A check of pages.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUID.' }),
    status: t.expose('status', { type: auditState, description: 'How far it is.' }),
    pageCount: t.expose('pageCount', { type: 'SafeInt', description: 'Pages that it checks.' }),
    issueCount: t.expose('issueCount', { type: 'SafeInt', description: 'What it found.' }),
    scores: t.expose('scores', {
      type: scores,
      nullable: true,
      description: 'How well the pages do; null until it is completed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it began; null while it waits.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then.',
    }),
  }),
})
