import { type FormEvent, useId } from 'react'
import {
  MakeReportDocument,
  type OneReportFragment,
  ReportsDocument,
  type ReportType,
  RevokeReportDocument,
  ShareReportDocument,
} from '../../documents.ts'
import { Act, Fault } from '../../parts/act.tsx'
import { textColumn, timeColumn } from '../../parts/columns.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Paging } from '../../parts/paging.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'

const isOpen = ({ status }: OneReportFragment) => status === 'queued' || status === 'running'

function Acts({ project, report }: { project: string; report: OneReportFragment }) {
  const variables = { project, id: report.id }
  if (report.status !== 'completed') return null
  return report.shareUrl ? (
    <Act
      label={t.reports.revoke}
      of={report.title}
      document={RevokeReportDocument}
      variables={variables}
    />
  ) : (
    <Act
      label={t.reports.share}
      of={report.title}
      document={ShareReportDocument}
      variables={variables}
    />
  )
}

function columnsOf(project: string): readonly Column<OneReportFragment>[] {
  return [
    textColumn(t.reports.report, ({ title }) => title),
    textColumn(t.reports.period, ({ dateRange: { from, to } }) => t.reports.days(from, to)),
    textColumn(t.reports.state, ({ status }) => t.reports.states[status]),
    timeColumn(t.reports.asked, ({ createdAt }) => createdAt),
    textColumn(
      t.reports.link,
      ({ shareUrl }) => shareUrl ?? '',
      ({ shareUrl, title }) =>
        shareUrl ? <Outside url={shareUrl} name={t.reports.open(title)} /> : t.reports.isPrivate,
    ),
    { name: t.reports.acts, show: (report) => <Acts project={project} report={report} /> },
  ]
}

function Make({ project }: { readonly project: string }) {
  const { window } = useAddress()
  const change = useChange(MakeReportDocument)
  const id = useId()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const title = String(form.get('title')).trim()
    const reportType = String(form.get('kind')) as ReportType
    change.mutate({ project, reportType, window, ...(title && { title }) })
  }
  return (
    <section className="part">
      <h2>{t.reports.make}</h2>
      <p className="lead">{t.reports.makeLead}</p>
      <form className="line" onSubmit={submit}>
        <label htmlFor={`${id}k`}>{t.reports.kind}</label>
        <select id={`${id}k`} name="kind">
          {Object.entries(t.reports.kinds).map(([kind, text]) => (
            <option key={kind} value={kind}>
              {text}
            </option>
          ))}
        </select>
        <label htmlFor={`${id}t`}>{t.reports.name}</label>
        <input id={`${id}t`} name="title" maxLength={200} aria-describedby={`${id}h`} />
        <button type="submit" disabled={change.isPending}>
          {t.reports.submit}
        </button>
      </form>
      <p className="lead" id={`${id}h`}>
        {t.reports.nameHint}
      </p>
      <Fault error={change.error} />
    </section>
  )
}

const refetchMs = 2000

/** Reports: make one, share it, and close its link. */
export function Reports({ project }: PageProps) {
  const { after } = useAddress().state
  const variables = { project: project.id, ...(after ? { after } : {}) }
  const query = useQuestion(ReportsDocument, variables, {
    refetchInterval: ({ project: found }) =>
      found?.reports?.nodes.some(isOpen) ? refetchMs : false,
  })
  return (
    <>
      <Make project={project.id} />
      <Answered query={query}>
        {({ project: found }) => (
          <Part
            title={t.reports.all}
            {...(!found?.reports?.nodes.length && { lead: t.reports.none })}
            asked={{ document: ReportsDocument, variables }}
            columns={columnsOf(project.id)}
            rows={found?.reports?.nodes ?? []}
            keyOf={({ id }) => id}
            after={
              <Paging
                here={pathOf(project.id, 'reports')}
                {...(found?.reports && { pageInfo: found.reports.pageInfo })}
              />
            }
          />
        )}
      </Answered>
    </>
  )
}
