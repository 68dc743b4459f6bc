import {
  IgnoreIssueDocument,
  type IssueStatus,
  type OneIssueFragment,
  ReopenIssueDocument,
  type WorkQuery,
} from '../../documents.ts'
import { Act, ReasonAct } from '../../parts/act.tsx'
import { Outside } from '../../parts/outside.tsx'
import { t } from '../../texts/texts.ts'
import { Items } from './items.tsx'
import { StatePicker } from './state-picker.tsx'

/** One entry of the evidence: its parts in words, whatever the check wrote. */
function evidenceText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry)
  return Object.entries(entry)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
}

function OneIssue({ project, issue }: { project: string; issue: OneIssueFragment }) {
  const { id, title, url, severity, description, howToFix, openedAt } = issue
  const evidence: readonly unknown[] = Array.isArray(issue.evidence) ? issue.evidence : []
  const variables = { project, id }
  return (
    <details className="item">
      <summary>
        <span className={`badge ${severity}`}>{t.work.severities[severity]}</span> {title}
        <span className="words">{url}</span>
      </summary>
      <p>{description}</p>
      <h3>{t.work.fix}</h3>
      <p>{howToFix}</p>
      {evidence.length > 0 && (
        <>
          <h3>{t.work.evidence}</h3>
          <ul>
            {evidence.map(evidenceText).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <p className="lead">
        {issue.resolution ? t.work.resolutions[issue.resolution] : t.work.since(t.moment(openedAt))}{' '}
        {issue.ignoredReason && t.work.ignored(issue.ignoredReason)} <Outside url={url} />
      </p>
      <div className="acts">
        {issue.status === 'open' ? (
          <ReasonAct
            label={t.work.ignore}
            of={title}
            document={IgnoreIssueDocument}
            variables={variables}
          />
        ) : (
          issue.resolution === 'ignored' && (
            <Act
              label={t.work.reopen}
              of={title}
              document={ReopenIssueDocument}
              variables={variables}
            />
          )
        )}
      </div>
    </details>
  )
}

interface IssuesProps {
  readonly project: string
  readonly found: NonNullable<WorkQuery['project']>['issues']
  readonly state: IssueStatus
}

export function Issues({ project, found, state }: IssuesProps) {
  const issues = found?.nodes ?? []
  const counts = Object.entries(found?.summary.bySeverity ?? {})
  return (
    <section className="part">
      <header>
        <h2>{t.work.issues}</h2>
        <StatePicker
          label={t.work.issuesShown}
          name="issues"
          states={t.work.issueStates}
          value={state}
        />
      </header>
      <p className="lead">
        {issues.length === 0
          ? t.work.noIssues
          : t.work.issuesLead(issues.length, found?.totalCount ?? issues.length)}{' '}
        {issues.length > 0 && counts.map(([name, count]) => `${count} ${name}`).join(', ')}
      </p>
      <Items title={t.work.issues}>
        {issues.map((issue) => (
          <OneIssue key={issue.id} project={project} issue={issue} />
        ))}
      </Items>
    </section>
  )
}
