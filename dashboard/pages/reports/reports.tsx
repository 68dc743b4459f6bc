import { Checkbox, Group } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { type ReportPart, reportParts } from '../../../core/reports/view.ts'
import { MakeReportDocument, type OneReportFragment, ReportsDocument } from '../../documents.ts'
import { textColumn, timeColumn } from '../../parts/columns.tsx'
import { ChangeForm, Field } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { May } from '../../parts/may.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { ReportPage } from './report.tsx'
import { LinkActs } from './share.tsx'
import { isOpen, refetchMs, sharedText } from './shown.tsx'

const ScheduledReports = lazy(async () => ({
  default: (await import('./scheduled.tsx')).ScheduledReports,
}))

function columnsOf(project: string): readonly Column<OneReportFragment>[] {
  return [
    textColumn(
      t.reports.report,
      ({ title }) => title,
      ({ id, title }) => (
        <PageLink project={project} to={['reports', id]} size="sm">
          {title}
        </PageLink>
      ),
    ),
    {
      ...textColumn<OneReportFragment>(t.reports.period, ({ dateRange: { from, to } }) =>
        t.reports.days(from, to),
      ),
      isMinor: true,
    },
    {
      ...textColumn<OneReportFragment>(t.columns.state, ({ status }) => t.states[status]),
      isMinor: true,
    },
    {
      ...timeColumn<OneReportFragment>(t.reports.created, ({ createdAt }) => createdAt),
      isMinor: true,
    },
    textColumn(t.reports.shared, sharedText, (report) =>
      report.shareUrl ? (
        <Outside
          url={report.shareUrl}
          name={sharedText(report)}
          label={`${sharedText(report)}: ${t.reports.open(report.title)}`}
        />
      ) : (
        t.reports.isPrivate
      ),
    ),
    {
      name: t.columns.actions,
      isText: true,
      show: (report) => <LinkActs project={project} report={report} />,
    },
  ]
}

const contents = ['sentiment', ...reportParts] as const

function Make({ project }: { readonly project: string }) {
  const { window } = useAddress()
  const [chosen, setChosen] = useState<string[]>([...contents])
  const parts: ReportPart[] = reportParts.filter((part) => chosen.includes(part))
  return (
    <Panel title={t.reports.make} sub={t.reports.makeLead}>
      <ChangeForm
        document={MakeReportDocument}
        variablesOf={(text) => ({
          project,
          reportType: chosen.includes('sentiment')
            ? ('combined' as const)
            : ('visibility' as const),
          window,
          parts,
          ...(text('title') && { title: text('title') }),
        })}
        submit={t.reports.submit}
        layout="column"
        isDisabled={parts.length === 0}
        keeps
      >
        <Field
          name="title"
          label={t.reports.name}
          isOptional
          mostCharacters={200}
          hint={t.reports.nameHint}
        />
        <Checkbox.Group label={t.reports.contents} value={chosen} onChange={setChosen}>
          <Group gap="md" mt={6}>
            {contents.map((part) => (
              <Checkbox key={part} value={part} label={t.reports.parts[part]} />
            ))}
          </Group>
        </Checkbox.Group>
      </ChangeForm>
    </Panel>
  )
}

/** Reports: make one, read it, share it, and close its link. */
function ReportList({ project }: { readonly project: string }) {
  const variables = { project }
  const query = useQuestion(ReportsDocument, variables, {
    refetchInterval: ({ project: found }) =>
      found?.reports?.nodes.some(isOpen) ? refetchMs : false,
  })
  return (
    <>
      <May make={MakeReportDocument}>
        <Make project={project} />
      </May>
      <Answered query={query}>
        {({ project: found }) => (
          <Part
            title={t.reports.all}
            empty={`${t.reports.none} ${t.reports.noneLead}`}
            asked={{ document: ReportsDocument, variables }}
            columns={columnsOf(project)}
            rows={found?.reports?.nodes ?? []}
            keyOf={({ id }) => id}
            whole={() => wholeList(ReportsDocument, { project }, (all) => all.project?.reports)}
          />
        )}
      </Answered>
      <Suspense fallback={null}>
        <ScheduledReports project={project} />
      </Suspense>
    </>
  )
}

/** The reports, or one of them. */
export function Reports({ project, detail }: PageProps) {
  return detail ? (
    <ReportPage project={project.id} id={detail} />
  ) : (
    <ReportList project={project.id} />
  )
}
