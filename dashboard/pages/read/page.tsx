import { Link } from 'wouter'
import { shown } from '../../../web/share/numbers.ts'
import { ReadPageDocument, type ReadPageQuery } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { countChart, countPoint } from '../../parts/days.ts'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'

type Page = NonNullable<NonNullable<ReadPageQuery['project']>['page']>
type Metrics = NonNullable<Page['metrics']>

interface Step {
  readonly name: string
  /** Null where no source of the step is connected. */
  readonly times: number | null
}

/** From the crawler to the reader, in the order of the way. */
function stepsOf({ retrieved }: Page, { crawls, citations, referrals, clicks }: Metrics): Step[] {
  const { steps } = t.read
  return [
    { name: steps.crawled, times: crawls.total },
    { name: steps.retrieved, times: retrieved },
    { name: steps.cited, times: citations.total },
    { name: steps.referred, times: referrals.total },
    { name: steps.clicked, times: clicks.clicks },
  ]
}

const stepColumns: readonly Column<Step>[] = [
  textColumn(t.read.step, ({ name }) => name),
  {
    name: t.read.times,
    value: ({ times }) => times,
    show: ({ times }) => (times === null ? t.read.unknown : shown(times, 'count')),
  },
]

const botColumns: readonly Column<Metrics['crawls']['byBot'][number]>[] = [
  textColumn(t.read.crawler, ({ botName }) => botName),
  countColumn(t.read.visits, ({ visits }) => visits),
]

const assistantColumns: readonly Column<NonNullable<Page['citations']>['platforms'][number]>[] = [
  textColumn(t.columns.assistant, ({ platform }) => platform.displayName),
  countColumn(t.columns.answers, ({ answers }) => answers),
]

/** Visits of all crawlers by day. */
function crawlDays({ crawls }: Metrics) {
  const days = new Map<string, number>()
  for (const { date, visits } of crawls.series) days.set(date, (days.get(date) ?? 0) + visits)
  return [...days].map(([date, count]) => ({ date, count }))
}

/** The way of one page: crawled, retrieved, cited, clicked. */
export function ReadPage({ project, page }: { project: Project; page: string }) {
  const { window, link } = useAddress()
  const variables = { project: project.id, page, window }
  const asked = { document: ReadPageDocument, variables }
  return (
    <>
      <p>
        <Link href={link(pathOf(project.id, 'read'))}>{t.read.back}</Link>
      </p>
      <Answered query={useQuestion(ReadPageDocument, variables)}>
        {({ project: found }) => {
          const one = found?.page
          const metrics = one?.metrics
          if (!one || !metrics) return <p className="state">{t.read.missing}</p>
          const steps = stepsOf(one, metrics)
          const { dateRange, crawls, citations } = metrics
          return (
            <>
              <h2 className="subject">{one.title || one.url}</h2>
              <p className="lead">
                <Outside url={one.url} />
              </p>
              <Part
                title={t.read.way}
                asked={asked}
                chart={
                  <Chart
                    chart={{
                      title: t.read.way,
                      section: one.url,
                      kind: 'bars',
                      unit: 'count',
                      points: steps.map(({ name, times }) => countPoint(name, times)),
                    }}
                  />
                }
                columns={stepColumns}
                rows={steps}
                keyOf={({ name }) => name}
              />
              <section className="part">
                <h2>{t.read.citationsByDay}</h2>
                <Chart
                  chart={countChart(t.read.citationsByDay, one.url, dateRange, citations.series)}
                />
              </section>
              {crawls.available && (
                <Part
                  title={t.read.byBot}
                  asked={asked}
                  chart={
                    <Chart
                      chart={countChart(t.read.crawlsByDay, one.url, dateRange, crawlDays(metrics))}
                    />
                  }
                  columns={botColumns}
                  rows={crawls.byBot}
                  keyOf={({ botName }) => botName}
                />
              )}
              <Part
                title={t.read.byAssistant}
                asked={asked}
                columns={assistantColumns}
                rows={one.citations?.platforms ?? []}
                keyOf={({ platform }) => platform.slug}
              />
            </>
          )
        }}
      </Answered>
    </>
  )
}
