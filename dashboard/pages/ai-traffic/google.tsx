import { SegmentedControl, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import {
  AllSearchPagesDocument,
  AllSearchQueriesDocument,
  GoogleSearchDocument,
  type GoogleSearchQuery,
  type OneSearchPageFragment,
  type OneSearchQueryFragment,
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
import { t } from '../../texts/texts.ts'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

const { google: texts, citations } = t.aiTraffic

type Performance = NonNullable<NonNullable<GoogleSearchQuery['project']>['searchPerformance']>
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
  readonly found: Performance
  readonly asked: Asked<GoogleSearchQuery, { project: string }>
}

function OverTime({ found, asked }: OverTimeProps) {
  const { totals, series: points, dataAvailable: days } = found
  const [metric, setMetric] = useState<(typeof metrics)[number]>('clicks')
  const steps = points.map(({ date }) => date)
  const series = metrics.map((name) => ({
    name: texts.metrics[name],
    isOwn: true,
    // Search Console is days behind: what it has not sent yet is no 0.
    values: points.map((point) => (days && point.date <= days.to ? point[name] : null)),
  }))
  return (
    <Panel
      title={texts.overTime}
      sub={texts.overTimeOf(totals.clicks, totals.impressions)}
      asked={asked}
      hasChart
      saveCsv={() => saveLines(texts.overTime, steps, series)}
      right={
        <SegmentedControl
          size="xs"
          aria-label={texts.overTime}
          value={metric}
          onChange={(value) => setMetric(value as typeof metric)}
          data={metrics.map((value) => ({ value, label: texts.metrics[value] }))}
        />
      }
    >
      <Suspense fallback={<Skeleton h={260} />}>
        <Lines
          title={texts.overTime}
          unit="count"
          labels={steps.map(t.dayOfYear)}
          series={series.filter(({ name }) => name === texts.metrics[metric])}
          spoken={texts.overTimeOf(totals.clicks, totals.impressions)}
        />
      </Suspense>
    </Panel>
  )
}

/** Clicks and impressions in Google beside what AI answers cite; nothing without Search Console. */
export function Google({ project: { id: project } }: PageProps) {
  const { window } = useAddress()
  const [ref, isReached] = useReached()
  const variables = { project, window, interval: intervalOf(window) }
  const asked = { document: GoogleSearchDocument, variables }
  const { data } = useQuestion(GoogleSearchDocument, variables, { enabled: isReached })
  const { searchPerformance, searchQueries, searchPages } = data?.project ?? {}
  const queries = searchQueries?.nodes ?? []
  const hasPrompts = queries.some(({ prompts }) => prompts?.length)
  return (
    <div ref={ref}>
      {searchPerformance && (
        <>
          <OverTime found={searchPerformance} asked={asked} />
          <Part
            title={texts.queries}
            lead={hasPrompts && texts.queriesLead}
            empty={texts.none}
            asked={asked}
            columns={
              hasPrompts ? [...queryColumns(project), visibilityColumn] : queryColumns(project)
            }
            rows={queries}
            keyOf={({ query }) => query}
            whole={() =>
              wholeList(AllSearchQueriesDocument, variables, (all) => all.project?.searchQueries)
            }
          />
          <Part
            title={texts.pages}
            lead={texts.pagesLead}
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
      )}
    </div>
  )
}
