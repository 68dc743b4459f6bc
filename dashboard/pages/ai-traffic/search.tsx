import { SegmentedControl, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import {
  AllSearchPagesDocument,
  AllSearchQueriesDocument,
  type OneSearchPageFragment,
  type OneSearchQueryFragment,
  type SearchEngine,
  SearchEnginesDocument,
  SearchTrafficDocument,
  type SearchTrafficQuery,
} from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { useReached } from '../../parts/reached.ts'
import { saveLines } from '../../parts/save.ts'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { wholeList } from '../../state/whole.ts'
import { searchEngines as texts } from '../../texts/english/search-engines.ts'
import { t } from '../../texts/texts.ts'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

const { citations } = t.aiTraffic

type Performance = NonNullable<NonNullable<SearchTrafficQuery['project']>['searchPerformance']>
type Row = Pick<OneSearchQueryFragment, 'clicks' | 'impressions' | 'ctr' | 'position'>

const searchColumns = <R extends Row>(): readonly Column<R>[] => [
  countColumn<R>(texts.metrics.clicks, ({ clicks }) => clicks),
  countColumn<R>(texts.metrics.impressions, ({ impressions }) => impressions),
  {
    name: texts.ctr,
    value: ({ ctr }) => ctr,
    show: ({ ctr }) => shown(ctr, 'percent'),
    isMinor: true,
  },
  {
    name: t.columns.position,
    value: ({ position }) => position,
    show: ({ position }) => shown(position, 'position'),
    isMinor: true,
  },
]

const visibilityOf = ({ prompts }: OneSearchQueryFragment) =>
  prompts?.[0]?.visibility?.summary.metrics.visibilityScore.value ?? null

const queryColumns = (project: string): readonly Column<OneSearchQueryFragment>[] => [
  textColumn(
    texts.query,
    ({ query }) => query,
    ({ query, prompts }) => {
      const [prompt] = prompts ?? []
      return prompt ? (
        <PageLink project={project} to={['prompts', prompt.id]}>
          {query}
        </PageLink>
      ) : (
        query
      )
    },
  ),
  ...searchColumns<OneSearchQueryFragment>(),
]

const visibilityColumn: Column<OneSearchQueryFragment> = {
  name: t.columns.visibility,
  value: visibilityOf,
  show: (row) => (row.prompts?.length ? shown(visibilityOf(row), 'percent') : ''),
}

const pageColumns = (project: string): readonly Column<OneSearchPageFragment>[] => [
  textColumn(
    t.columns.page,
    ({ url }) => url,
    ({ url, page }) =>
      page ? (
        <PageLink project={project} to={['ai-traffic', page.id]}>
          {url}
        </PageLink>
      ) : (
        <Outside url={url} />
      ),
  ),
  ...searchColumns<OneSearchPageFragment>(),
  countColumn(citations, ({ page }) => page?.metrics?.citations.total ?? null),
]

const metrics = ['clicks', 'impressions'] as const

interface OverTimeProps {
  readonly engine: SearchEngine
  readonly found: Performance
  readonly asked: Asked<SearchTrafficQuery, { project: string }>
}

function OverTime({ engine, found, asked }: OverTimeProps) {
  const { totals, series: points, dataAvailable: days } = found
  const { overTime, overTimeOf } = texts[engine]
  const [metric, setMetric] = useState<(typeof metrics)[number]>('clicks')
  const steps = points.map(({ date }) => date)
  // Search consoles are days behind, and know little of before: a day, week or month that they have not sent is no 0.
  const isKnown = (at: number) => {
    const [date, next = '9999'] = steps.slice(at, at + 2)
    return days !== null && date !== undefined && date <= days.to && next > days.from
  }
  const series = metrics.map((name) => ({
    name: texts.metrics[name],
    isOwn: true,
    values: points.map((point, at) => (isKnown(at) ? point[name] : null)),
  }))
  return (
    <Panel
      title={overTime}
      sub={overTimeOf(totals.clicks, totals.impressions)}
      asked={asked}
      hasChart
      saveCsv={() => saveLines(overTime, steps, series)}
      right={
        <SegmentedControl
          size="xs"
          aria-label={overTime}
          value={metric}
          onChange={(value) => setMetric(value as typeof metric)}
          data={metrics.map((value) => ({ value, label: texts.metrics[value] }))}
        />
      }
    >
      <Suspense fallback={<Skeleton h={260} />}>
        <Lines
          title={overTime}
          unit="count"
          labels={steps.map(t.dayOfYear)}
          series={series.filter(({ name }) => name === texts.metrics[metric])}
          spoken={overTimeOf(totals.clicks, totals.impressions)}
        />
      </Suspense>
    </Panel>
  )
}

type Weekly = Pick<
  NonNullable<NonNullable<SearchTrafficQuery['project']>['searchQueries']>,
  'dateRange' | 'periods'
>

/** Which weeks the rows are of: Bing has no days of queries and pages. */
function weeksText(engine: SearchEngine, list: Weekly | null | undefined): string {
  if (engine !== 'bing' || !list) return ''
  const { dateRange, periods } = list
  const weeks = periods.filter(({ to }) => to >= dateRange.from && to <= dateRange.to)
  const [last, first] = [weeks[0], weeks.at(-1)]
  return last && first
    ? texts.weeks(weeks.length, t.dayOfYear(first.from), t.dayOfYear(last.to))
    : texts.noWeeks
}

/** Clicks and impressions in one engine beside what AI answers cite. */
function Engine({ project, engine }: { readonly project: string; readonly engine: SearchEngine }) {
  const { window } = useAddress()
  const variables = { project, engine, window, interval: intervalOf(window) }
  const asked = { document: SearchTrafficDocument, variables }
  const { data } = useQuestion(SearchTrafficDocument, variables)
  const { searchPerformance, searchQueries, searchPages } = data?.project ?? {}
  if (!searchPerformance) return null
  const queries = searchQueries?.nodes ?? []
  const hasPrompts = queries.some(({ prompts }) => prompts?.length)
  return (
    <>
      <OverTime engine={engine} found={searchPerformance} asked={asked} />
      <Part
        title={texts[engine].queries}
        lead={[weeksText(engine, searchQueries), hasPrompts && texts.queriesLead]
          .filter(Boolean)
          .join(' ')}
        empty={texts.none}
        asked={asked}
        columns={hasPrompts ? [...queryColumns(project), visibilityColumn] : queryColumns(project)}
        rows={queries}
        keyOf={({ query }) => query}
        whole={() =>
          wholeList(AllSearchQueriesDocument, variables, (all) => all.project?.searchQueries)
        }
      />
      <Part
        title={texts[engine].pages}
        lead={[weeksText(engine, searchPages), texts.pagesLead].filter(Boolean).join(' ')}
        empty={texts.noPages}
        asked={asked}
        columns={pageColumns(project)}
        rows={searchPages?.nodes ?? []}
        keyOf={({ url }) => url}
        whole={() =>
          wholeList(AllSearchPagesDocument, variables, (all) => all.project?.searchPages)
        }
      />
    </>
  )
}

/** What people search in Google or Bing, one at a time; nothing where no search console is linked. */
export function Search({ project: { id: project } }: PageProps) {
  const [ref, isReached] = useReached()
  const [chosen, setChosen] = useState<SearchEngine | null>(null)
  const { data } = useQuestion(SearchEnginesDocument, { project }, { enabled: isReached })
  const { searchConsole, bingWebmaster } = data?.project?.integrations ?? {}
  const linked: SearchEngine[] = [
    ...(searchConsole ? (['google'] as const) : []),
    ...(bingWebmaster ? (['bing'] as const) : []),
  ]
  const engine = chosen ?? linked[0]
  return (
    <div ref={ref}>
      {linked.length > 1 && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label={texts.engine}
          value={engine ?? 'google'}
          onChange={(value) => setChosen(value as SearchEngine)}
          data={linked.map((value) => ({ value, label: texts.names[value] }))}
        />
      )}
      {engine && <Engine key={engine} project={project} engine={engine} />}
    </div>
  )
}
