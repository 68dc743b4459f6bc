import { shown } from '../../../web/share/numbers.ts'
import {
  CancelAuditDocument,
  type IssueStatus,
  type OneAuditFragment,
  type OpportunityStatus,
  StartAuditDocument,
  WorkDocument,
  type WorkQuery,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { Issues } from './issues.tsx'
import { Opportunities } from './opportunities.tsx'

const isOpen = ({ status }: OneAuditFragment) => status === 'queued' || status === 'running'

function scoreColumn(
  name: string,
  score: (scores: NonNullable<OneAuditFragment['scores']>) => number,
): Column<OneAuditFragment> {
  return {
    name,
    value: ({ scores }) => scores && score(scores),
    show: ({ scores }) => (scores ? shown(score(scores), 'score') : ''),
  }
}

const auditColumns: readonly Column<OneAuditFragment>[] = [
  timeColumn(t.work.asked, ({ createdAt }) => createdAt),
  textColumn(t.work.state, ({ status, error }) => t.work.stateOf(t.work.states[status], error)),
  {
    name: t.work.progress,
    value: ({ progress }) => t.work.progressOf(progress.done, progress.total),
    show: ({ progress: { done, total } }) => t.work.progressOf(done, total),
  },
  countColumn(t.work.found, ({ issueCount }) => issueCount),
  scoreColumn(t.work.overall, ({ overall }) => overall),
  scoreColumn(t.work.technical, ({ technical }) => technical),
  scoreColumn(t.work.content, ({ content }) => content),
  scoreColumn(t.work.aiReadiness, ({ aiReadiness }) => aiReadiness),
]

interface AuditsProps extends PageProps {
  readonly audits: readonly OneAuditFragment[]
  readonly asked: Asked<WorkQuery, { project: string }>
}

function Audits({ audits, asked, project }: AuditsProps) {
  const open = audits.find(isOpen)
  return (
    <Part
      title={t.work.audits}
      empty={t.work.noAudits}
      asked={asked}
      columns={auditColumns}
      rows={audits}
      keyOf={({ id }) => id}
      after={
        <div className="acts">
          {open ? (
            <Act
              label={t.work.cancel}
              document={CancelAuditDocument}
              variables={{ project: project.id, id: open.id }}
            />
          ) : (
            <Act
              label={t.work.start}
              document={StartAuditDocument}
              variables={{ project: project.id }}
            />
          )}
        </div>
      }
    />
  )
}

const refetchMs = 2000

/** The state that the address names, or the first one. */
const chosen = <State extends string>(
  states: Readonly<Record<State, string>>,
  value: string | undefined,
): State => {
  const known = Object.keys(states) as State[]
  return known.find((state) => state === value) ?? (known[0] as State)
}

/** What is wrong, what is worth doing? Audits, issues and opportunities, with what a reader does about them. */
export function Work({ project }: PageProps) {
  const { state } = useAddress()
  const issues = chosen<IssueStatus>(t.work.issueStates, state.issues)
  const opportunities = chosen<OpportunityStatus>(t.work.opportunityStates, state.opportunities)
  const variables = {
    project: project.id,
    issues: { statuses: [issues] },
    opportunities: { statuses: [opportunities] },
  }
  const asked = { document: WorkDocument, variables }
  const query = useQuestion(WorkDocument, variables, {
    refetchInterval: ({ project: found }) =>
      found?.audits?.nodes.some(isOpen) ? refetchMs : false,
  })
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && (
          <>
            <Audits project={project} audits={found.audits?.nodes ?? []} asked={asked} />
            <Issues project={project.id} found={found.issues} state={issues} />
            <Opportunities project={project.id} found={found.opportunities} state={opportunities} />
          </>
        )
      }
    </Answered>
  )
}
