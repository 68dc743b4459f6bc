import { Anchor, SimpleGrid, Title } from '@mantine/core'
import { Link } from 'wouter'
import { AllUrlsOfDomainDocument, DomainDocument, type DomainQuery } from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { pointOf } from '../../parts/days.ts'
import { CountFigure, Figure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { brandBars } from './brand-bars.ts'

type Found = NonNullable<NonNullable<DomainQuery['project']>['sourceDomain']>
type Url = NonNullable<Found['urls']>['nodes'][number]

const { sources: texts } = t

function urlColumns(project: string, link: (path: string) => string): readonly Column<Url>[] {
  return [
    {
      name: t.columns.page,
      isText: true,
      value: ({ url }) => url,
      show: ({ url, title }) => (
        <>
          <Anchor component={Link} href={link(pathOf(project, 'sources', url))} inherit>
            {title || url}
          </Anchor>
          <div className="address">{url.replace(/^https?:\/\/(www\.)?/, '')}</div>
        </>
      ),
    },
    {
      ...textColumn<Url>(t.columns.type, ({ contentType }) => t.contentTypes[contentType]),
      isMinor: true,
    },
    countColumn(t.columns.answers, ({ responsesWithUrl }) => responsesWithUrl),
  ]
}

/** One domain: its cited pages, the brands in the answers that cite it, and these answers. */
export function Domain({ project, domain }: { project: Project; domain: string }) {
  const { window, filter, link } = useAddress()
  const variables = { project: project.id, domain, window, filter }
  const asked = { document: DomainDocument, variables }
  const from = { label: texts.title, href: link(pathOf(project.id, 'sources')) }
  return (
    <Answered query={useQuestion(DomainDocument, variables)}>
      {({ project: found }) => {
        const one = found?.sourceDomain
        if (!one) return <Heading title={texts.missing} from={from} />
        const { usage } = one.metrics
        const bars = brandBars(one.brands?.nodes ?? [])
        return (
          <>
            <Heading
              title={one.domain}
              from={from}
              sub={
                <>
                  {t.sourceTypes[one.type]} ·{' '}
                  <Outside url={`https://${one.domain}`} name={texts.openPage} />
                </>
              }
            />
            <Figures>
              <Figure
                label={texts.cited}
                hint={texts.citedHint}
                unit="percent"
                metric={usage}
                words={texts.citedOf(usage.numerator, usage.denominator)}
              />
              <CountFigure
                label={t.columns.citations}
                value={String(one.totalCitations)}
                words={texts.citations(one.totalCitations, one.pageCount)}
              />
            </Figures>
            <SimpleGrid cols={{ base: 1, lg: 2 }} mb="md">
              <Part
                title={texts.pages}
                asked={asked}
                columns={urlColumns(project.id, link)}
                rows={one.urls?.nodes ?? []}
                keyOf={({ url }) => url}
                whole={() =>
                  wholeList(
                    AllUrlsOfDomainDocument,
                    variables,
                    (all) => all.project?.sourceDomain?.urls,
                  )
                }
              />
              <Panel title={texts.brands} asked={asked}>
                <Chart
                  own={bars.own}
                  chart={{
                    title: texts.brands,
                    section: one.domain,
                    kind: 'bars',
                    unit: 'percent',
                    points: bars.rows.map(({ name, metric }) => pointOf(name, metric)),
                  }}
                />
              </Panel>
            </SimpleGrid>
            <Title order={2} mb="sm">
              {texts.answers}
            </Title>
            <AnswerReader project={project} filter={{ citedDomains: [one.domain] }} />
          </>
        )
      }}
    </Answered>
  )
}
