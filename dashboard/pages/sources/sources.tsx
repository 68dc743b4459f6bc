import { Skeleton } from '@mantine/core'
import { useMemo } from 'react'
import type { ReportChart } from '../../../web/share/charts.ts'
import { count } from '../../../web/share/numbers.ts'
import {
  AllDomainsDocument,
  AllToWinDocument,
  AllUrlsDocument,
  type BrandsOfDomainFragment,
  SourcesDetailsDocument,
  type SourcesDetailsQuery,
  SourcesDocument,
  type SourcesQuery,
} from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, intervalColumn, ratioColumn, textColumn } from '../../parts/columns.tsx'
import { countPoint, pointOf } from '../../parts/days.ts'
import type { Metric } from '../../parts/figures.tsx'
import { DomainLink } from '../../parts/links.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { Steps } from '../../parts/steps.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { intervalOf, stepsOf } from '../../state/interval.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { Authority } from './authority.tsx'
import { domainColumns, pageColumns } from './columns.tsx'
import { Domain } from './domain.tsx'
import { SourcePage } from './source-page.tsx'

type Found = NonNullable<SourcesQuery['project']>
type FirstRow = NonNullable<Found['sourceDomains']>['nodes'][number]
/** A domain; its brands come later, its interval with the file alone. */
interface DomainRow extends Omit<FirstRow, 'metrics'> {
  readonly metrics: { readonly citationRate: Metric }
  readonly brands?: BrandsOfDomainFragment['brands']
}
type Url = NonNullable<Found['sourceUrls']>['nodes'][number]
type ToWin = NonNullable<Found['domainsToWin']>['nodes'][number]

const { sources: texts } = t

const variablesOf = ({
  project,
  window,
  filter,
}: Pick<Visit, 'project' | 'window' | 'filter'>) => ({
  project,
  window,
  filter,
  urls: filter,
  kinds: filter,
  toWin: filter,
})

export const sourcesOpening: Opening = ({ detail, ...visit }) =>
  detail ? undefined : prefetch(SourcesDocument, variablesOf(visit))

/** What shapes the answers: domains and pages; or one of them. */
export function Sources({ project, detail }: PageProps) {
  // A page is named by its address, a domain by its name.
  if (detail?.includes('/')) return <SourcePage project={project} url={detail} />
  if (detail) return <Domain project={project} domain={detail} />
  return <All project={project} />
}

function All({ project }: PageProps) {
  const variables = variablesOf({ ...useAddress(), project: project.id })
  const asked = { document: SourcesDocument, variables }
  return (
    <Answered query={useQuestion(SourcesDocument, variables)}>
      {({ project: found }) => found && <Shown found={found} asked={asked} project={project} />}
    </Answered>
  )
}

/** Answers that cite the domain and mention the own brand; null until they are counted. */
function oursOf({ brands }: DomainRow): number | null {
  if (!brands) return null
  return brands.nodes.find(({ brand }) => brand?.isOwn)?.visibility.mentionedIn ?? 0
}

function citedColumns(project: string): readonly Column<DomainRow>[] {
  return [
    ...domainColumns<DomainRow>(project),
    ratioColumn(texts.cited, 'percent', ({ metrics }) => metrics.citationRate),
    {
      ...intervalColumn<DomainRow>('percent', ({ metrics }) => metrics.citationRate),
      isOfFile: true,
    },
    { ...countColumn<DomainRow>(texts.ours, oursOf), isMinor: true },
    { ...countColumn<DomainRow>(t.columns.citations, (row) => row.citationCount), isMinor: true },
    { ...countColumn<DomainRow>(texts.pageCount, ({ pageCount }) => pageCount), isMinor: true },
  ]
}

const urlColumns = (project: string): readonly Column<Url>[] => [
  ...pageColumns<Url>(project),
  ratioColumn(texts.cited, 'percent', ({ metrics }) => metrics.citationRate),
  countColumn(t.columns.answers, ({ citedIn }) => citedIn),
]

const shownCompetitors = 3

function toWinColumns(project: string): readonly Column<ToWin>[] {
  return [
    textColumn(
      t.columns.domain,
      ({ domain }) => domain,
      ({ domain }) => (
        <DomainLink project={project} domain={domain} state={{ mentions: 'competitors' }} />
      ),
    ),
    { ...textColumn<ToWin>(t.columns.type, ({ type }) => t.sourceTypes[type]), isMinor: true },
    countColumn(texts.reach, ({ lostAnswerCount }) => lostAnswerCount),
    {
      ...countColumn<ToWin>(texts.prompts, ({ promptCount }) => promptCount),
      isMinor: true,
    },
    {
      ...countColumn<ToWin>(texts.ours, ({ ownAnswerCount }) => ownAnswerCount),
      isMinor: true,
    },
    {
      ...textColumn<ToWin>(texts.mentioned, ({ competitors }) =>
        competitors
          .slice(0, shownCompetitors)
          .flatMap(({ brand, answerCount }) => (brand ? `${brand.name} ${count(answerCount)}` : []))
          .join(', '),
      ),
      isMinor: true,
      isLong: true,
    },
  ]
}

/** Domains of each type, by the citations that they have. */
function domainTypes(domains: readonly DomainRow[]): ReportChart {
  const groups = Map.groupBy(domains, ({ type }) => type)
  const points = [...groups].map(([type, rows]) =>
    countPoint(
      t.sourceTypes[type],
      rows.reduce((sum, { citationCount }) => sum + citationCount, 0),
    ),
  )
  return {
    title: texts.domainTypes,
    section: texts.title,
    kind: 'bars',
    unit: 'count',
    points: points.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0)),
  }
}

type Details = NonNullable<SourcesDetailsQuery['project']>

/** The citations of the brand's site beside those of its competitors; their place is kept until they are there. */
function OverTime({
  details,
  asked,
}: Pick<ShownProps, 'asked'> & { details: Details | undefined }) {
  const { window } = useAddress()
  if (!details) return <Skeleton h={372} radius="md" mb="md" />
  const range = details.dateRange?.dateRange
  const steps = range ? stepsOf(range, intervalOf(window)) : []
  const lineOf = (name: string, trend: Details['own'], isOwn: boolean) => {
    const byDate = new Map(trend?.citations.map(({ date, citationCount }) => [date, citationCount]))
    return { name, isOwn, values: steps.map((step) => byDate.get(step) ?? 0) }
  }
  return (
    <Steps
      title={texts.overTime}
      sub={texts.overTimeLead}
      asked={asked}
      steps={steps}
      series={[
        lineOf(texts.ownSite, details.own, true),
        lineOf(texts.competitorSites, details.competitors, false),
      ]}
    />
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<SourcesQuery, { project: string }>
}

function Shown({ found, asked, project }: ShownProps) {
  const { sourceDomains, sourceUrls } = found
  const variables = variablesOf({ ...useAddress(), project: project.id })
  const { data, isPlaceholderData } = useQuestion(SourcesDetailsDocument, {
    project: project.id,
    window: variables.window,
    filter: variables.filter,
    kinds: variables.kinds,
    interval: intervalOf(variables.window),
  })
  const details = isPlaceholderData ? undefined : (data?.project ?? undefined)
  const domains = useMemo<readonly DomainRow[]>(() => {
    const brandsOf = new Map(
      details?.sourceDomains?.nodes.map(({ domain, brands }) => [domain, brands]),
    )
    return (sourceDomains?.nodes ?? []).map((row) => ({
      ...row,
      brands: brandsOf.get(row.domain) ?? null,
    }))
  }, [sourceDomains, details])
  if (domains.length === 0) return <NoData project={project} />
  const contentTypes = details?.contentTypes ?? found.contentTypes
  const types: ReportChart = {
    title: texts.types,
    section: texts.title,
    kind: 'bars',
    unit: 'percent',
    points: (contentTypes ?? [])
      .map(({ contentType, metrics }) => pointOf(t.contentTypes[contentType], metrics.citationRate))
      .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0)),
  }
  return (
    <>
      <Part
        title={texts.toWin}
        lead={texts.toWinLead}
        empty={texts.toWinNone}
        asked={asked}
        columns={toWinColumns(project.id)}
        rows={found.domainsToWin?.nodes ?? []}
        keyOf={({ domain }) => domain}
        total={found.domainsToWin?.totalCount}
        whole={() => wholeList(AllToWinDocument, variables, (all) => all.project?.domainsToWin)}
        size={6}
      />
      <OverTime details={details} asked={asked} />
      <div className="wide-and-narrow">
        <Part
          title={texts.domains}
          lead={texts.domainsLead}
          asked={asked}
          columns={citedColumns(project.id)}
          rows={domains}
          keyOf={({ domain }) => domain}
          total={sourceDomains?.totalCount}
          whole={() =>
            wholeList(AllDomainsDocument, variables, (all) => all.project?.sourceDomains)
          }
          isOwn={({ type }) => type === 'brand'}
        />
        <div className="stack">
          {found.domainAuthority?.latest && (
            <ul className="plain">
              <Authority found={found.domainAuthority} />
            </ul>
          )}
          <Panel title={texts.domainTypes} asked={asked}>
            <Chart chart={domainTypes(domains)} />
          </Panel>
        </div>
      </div>
      <div className="wide-and-narrow tops">
        <Part
          title={texts.pages}
          lead={texts.pagesLead}
          asked={asked}
          columns={urlColumns(project.id)}
          rows={sourceUrls?.nodes ?? []}
          keyOf={({ url }) => url}
          total={sourceUrls?.totalCount}
          whole={() => wholeList(AllUrlsDocument, variables, (all) => all.project?.sourceUrls)}
          isOwn={({ sourceType }) => sourceType === 'brand'}
        />
        <Panel title={texts.types} sub={texts.typesLead} asked={asked}>
          <Chart chart={types} />
        </Panel>
      </div>
    </>
  )
}
