import {
  MakeReportDocument,
  type OneReportFragment,
  ReportsDocument,
  type ReportType,
  RevokeReportDocument,
  ShareReportDocument,
} from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Choice, Field } from '../../parts/form.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
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
      confirm={t.reports.revokeAsk}
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
    textColumn(t.columns.state, ({ status }) => t.states[status]),
    {
      ...timeColumn<OneReportFragment>(t.reports.created, ({ createdAt }) => createdAt),
      isMinor: true,
    },
    textColumn(
      t.reports.link,
      ({ shareUrl }) => shareUrl ?? '',
      ({ shareUrl, title }) =>
        shareUrl ? <Outside url={shareUrl} name={t.reports.open(title)} /> : t.reports.isPrivate,
    ),
    {
      name: t.columns.actions,
      isText: true,
      show: (report) => <Acts project={project} report={report} />,
    },
  ]
}

function Make({ project }: { readonly project: string }) {
  const { window } = useAddress()
  return (
    <Panel title={t.reports.make} sub={t.reports.makeLead}>
      <ChangeForm
        document={MakeReportDocument}
        variablesOf={(text) => ({
          project,
          reportType: text('kind') as ReportType,
          window,
          ...(text('title') && { title: text('title') }),
        })}
        submit={t.reports.submit}
        keeps
      >
        <Choice name="kind" label={t.reports.kind} choices={t.reports.kinds} />
        <Field
          name="title"
          label={t.reports.name}
          isOptional
          mostCharacters={200}
          example={t.reports.nameHint}
        />
      </ChangeForm>
    </Panel>
  )
}

const refetchMs = 2000

/** Reports: make one, share it, and close its link. */
export function Reports({ project }: PageProps) {
  const variables = { project: project.id }
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
            empty={t.reports.none}
            asked={{ document: ReportsDocument, variables }}
            columns={columnsOf(project.id)}
            rows={found?.reports?.nodes ?? []}
            keyOf={({ id }) => id}
            whole={() =>
              wholeList(ReportsDocument, { project: project.id }, (all) => all.project?.reports)
            }
          />
        )}
      </Answered>
    </>
  )
}
