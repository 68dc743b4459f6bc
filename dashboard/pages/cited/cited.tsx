import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ReportChart } from '../../../web/share/charts.ts'
import {
  AllDomainsDocument,
  AllUrlsDocument,
  CitedDocument,
  type CitedQuery,
} from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import {
  countColumn,
  intervalColumn,
  longColumn,
  ratioColumn,
  textColumn,
} from '../../parts/columns.tsx'
import { pointOf } from '../../parts/days.ts'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { type Address, pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { CitedDomain } from './domain.tsx'

type Found = NonNullable<CitedQuery['project']>
type Domain = NonNullable<Found['sourceDomains']>['nodes'][number]
type Url = NonNullable<Found['sourceUrls']>['nodes'][number]
type Kind = NonNullable<Found['contentTypes']>[number]

/** Answers that cite the domain and name the own brand. */
const oursOf = ({ brands }: Domain) =>
  brands?.nodes.find(({ brand }) => brand?.isOwn)?.visibility.responsesWithMention ?? 0

/** A domain of others, whose answers name competitors and never the own brand. */
const isGap = (domain: Domain) =>
  domain.type !== 'brand' && oursOf(domain) === 0 && othersOf(domain).length > 0

/** Competitors of the answers that cite the domain, the most named first. */
const othersOf = ({ brands }: Domain) =>
  (brands?.nodes ?? []).flatMap(({ brand, visibility }) =>
    brand && !brand.isOwn && visibility.responsesWithMention > 0 ? [brand.name] : [],
  )

function domainColumns(project: string, { link }: Address): readonly Column<Domain>[] {
  return [
    textColumn(
      t.columns.domain,
      ({ domain }) => domain,
      ({ domain }) => <Link href={link(pathOf(project, 'cited', domain))}>{domain}</Link>,
    ),
    textColumn(t.columns.kind, ({ type }) => t.sourceTypes[type]),
    ratioColumn(t.cited.usage, 'percent', ({ metrics }) => metrics.usage),
    intervalColumn('percent', ({ metrics }) => metrics.usage),
    countColumn(t.columns.citations, ({ totalCitations }) => totalCitations),
    countColumn(t.cited.pageCount, ({ pageCount }) => pageCount),
  ]
}

const urlColumns: readonly Column<Url>[] = [
  textColumn(
    t.cited.page,
    ({ url }) => url,
    ({ url, title }) => <Outside url={url} name={title || url} />,
  ),
  textColumn(t.columns.domain, ({ domain }) => domain),
  textColumn(t.columns.kind, ({ contentType }) => t.cited.contentTypes[contentType]),
  ratioColumn(t.cited.usage, 'percent', ({ metrics }) => metrics.usage),
  intervalColumn('percent', ({ metrics }) => metrics.usage),
  countColumn(t.columns.answers, ({ responsesWithUrl }) => responsesWithUrl),
]

const kindColumns: readonly Column<Kind>[] = [
  textColumn(t.columns.kind, ({ contentType }) => t.cited.contentTypes[contentType]),
  ratioColumn(t.cited.usage, 'percent', ({ metrics }) => metrics.citationRate),
  intervalColumn('percent', ({ metrics }) => metrics.citationRate),
  countColumn(t.columns.citations, ({ totalUsed }) => totalUsed),
  countColumn(t.asked.nav, ({ promptsCount }) => promptsCount),
]

/** What is cited? The domains, pages and kinds of pages, or one domain. */
export function Cited({ project, detail }: PageProps) {
  const address = useAddress()
  const { window, filter } = address
  const variables = { project: project.id, window, filter, urls: filter, kinds: filter }
  const query = useQuestion(CitedDocument, variables, { enabled: detail === undefined })
  if (detail) return <CitedDomain project={project} domain={detail} />
  const asked = { document: CitedDocument, variables }
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && <Shown found={found} asked={asked} project={project} address={address} />
      }
    </Answered>
  )
}

function chartsOf({ sourceDomains, contentTypes }: Found) {
  const section = t.cited.title
  const domains: ReportChart = {
    title: t.cited.usageByDomain,
    section,
    kind: 'bars',
    unit: 'percent',
    points: (sourceDomains?.nodes ?? [])
      .slice(0, 12)
      .map(({ domain, metrics }) => pointOf(domain, metrics.usage)),
  }
  const kinds: ReportChart = {
    title: t.cited.kinds,
    section,
    kind: 'bars',
    unit: 'percent',
    points: (contentTypes ?? []).map(({ contentType, metrics }) =>
      pointOf(t.cited.contentTypes[contentType], metrics.citationRate),
    ),
  }
  return { domains, kinds }
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<CitedQuery, { project: string }>
  readonly address: Address
}

function Shown({ found, asked, project, address }: ShownProps) {
  const charts = useMemo(() => chartsOf(found), [found])
  const { sourceDomains, sourceUrls, contentTypes } = found
  const domains = sourceDomains?.nodes ?? []
  if (domains.length === 0) return <NoData project={project} />
  const columns = domainColumns(project.id, address)
  const gaps = domains.filter(isGap)
  const { window, filter } = address
  const variables = { project: project.id, window, filter, urls: filter, kinds: filter }
  const allDomains = () =>
    wholeList(AllDomainsDocument, variables, (all) => all.project?.sourceDomains)
  const [domainColumn, kindColumn, ...numbers] = columns
  if (!domainColumn || !kindColumn) return null
  return (
    <>
      <Part
        title={t.cited.domains}
        lead={`${t.cited.domainsLead(domains.length, sourceDomains?.totalCount ?? domains.length)} ${t.sure.hollow}`}
        asked={asked}
        chart={<Chart chart={charts.domains} />}
        columns={[domainColumn, kindColumn, ...numbers, countColumn(t.cited.ours, oursOf)]}
        rows={domains}
        keyOf={({ domain }) => domain}
        whole={allDomains}
        isOwn={({ type }) => type === 'brand'}
      />
      <Part
        title={t.cited.gaps}
        lead={gaps.length > 0 ? t.cited.gapsLead(domains.length) : t.cited.noGaps}
        asked={asked}
        columns={[
          domainColumn,
          kindColumn,
          longColumn<Domain>(t.cited.named, (row) => othersOf(row).join(', ')),
          ...numbers,
        ]}
        rows={gaps}
        keyOf={({ domain }) => domain}
        whole={async () => (await allDomains()).filter(isGap)}
      />
      <Part
        title={t.cited.pages}
        lead={t.cited.pagesLead(
          sourceUrls?.nodes.length ?? 0,
          sourceUrls?.totalCount ?? sourceUrls?.nodes.length ?? 0,
        )}
        asked={asked}
        columns={urlColumns}
        rows={sourceUrls?.nodes ?? []}
        keyOf={({ url }) => url}
        whole={() => wholeList(AllUrlsDocument, variables, (all) => all.project?.sourceUrls)}
        isOwn={({ sourceType }) => sourceType === 'brand'}
      />
      <Part
        title={t.cited.kinds}
        lead={t.cited.kindsLead}
        asked={asked}
        chart={<Chart chart={charts.kinds} />}
        columns={kindColumns}
        rows={contentTypes ?? []}
        keyOf={({ contentType }) => contentType}
      />
    </>
  )
}
