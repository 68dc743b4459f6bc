import { useMemo } from 'react'
import { Link } from 'wouter'
import { shown } from '../../../web/share/numbers.ts'
import {
  AllCrawlersDocument,
  AllPathsDocument,
  AllUnreadDocument,
  ReadDocument,
  type ReadQuery,
} from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, dayColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { countChart } from '../../parts/days.ts'
import { CountFigure } from '../../parts/figures.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { type Address, pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { ReadPage } from './page.tsx'

type Found = NonNullable<ReadQuery['project']>
type Crawler = NonNullable<Found['crawlers']>['nodes'][number]
type Path = NonNullable<Found['trafficCorrelation']>['nodes'][number]
type Unread = NonNullable<Found['sitemapCoverage']>['nodes'][number]
type Crawls = NonNullable<Found['trafficOverview']>['crawlers']
type Day = Crawls['series'][number]
type Status = Crawls['byStatus'][number]

const crawlerColumns: readonly Column<Crawler>[] = [
  textColumn(t.read.crawler, ({ botName }) => botName),
  textColumn(t.read.vendor, ({ botVendor }) => botVendor),
  textColumn(t.read.purpose, ({ botCategory }) => t.read.purposes[botCategory]),
  countColumn(t.read.visits, ({ visits }) => visits),
  countColumn(t.read.verified, ({ verification }) => verification?.verified ?? null),
  countColumn(t.read.claimed, ({ verification }) => verification?.claimed ?? null),
  countColumn(t.read.impostor, ({ verification }) => verification?.impostor ?? null),
  countColumn(t.read.paths, ({ paths }) => paths),
  timeColumn(t.read.lastSeen, ({ lastSeenAt }) => lastSeenAt),
]

const statusColumns: readonly Column<Status>[] = [
  {
    name: t.read.status,
    value: ({ statusCode }) => statusCode,
    show: ({ statusCode }) => t.read.statusOf(statusCode),
  },
  countColumn(t.read.visits, ({ visits }) => visits),
]

const dayColumns: readonly Column<Day>[] = [
  dayColumn(({ date }) => date),
  countColumn(t.read.visits, ({ total }) => total),
]

function pathColumns(project: string, { link }: Address): readonly Column<Path>[] {
  return [
    textColumn(
      t.read.path,
      ({ path }) => path ?? '',
      ({ path, page }) =>
        page ? <Link href={link(pathOf(project, 'read', page.id))}>{path}</Link> : path,
    ),
    countColumn(t.read.crawls, ({ crawls }) => crawls),
    countColumn(t.columns.citations, ({ citations }) => citations),
    countColumn(t.read.sessions, ({ referrals }) => referrals),
  ]
}

const unreadColumns: readonly Column<Unread>[] = [
  textColumn(
    t.read.page,
    ({ url }) => url,
    ({ url }) => <Outside url={url} />,
  ),
  {
    ...timeColumn<Unread>(t.read.lastCrawled, ({ lastCrawledAt }) => lastCrawledAt),
    show: ({ lastCrawledAt }) => (lastCrawledAt ? t.moment(lastCrawledAt) : t.read.never),
  },
]

/** Who reads us? Crawlers and what they read, or the way of one page. */
export function Read({ project, detail }: PageProps) {
  const address = useAddress()
  const variables = { project: project.id, window: address.window }
  const query = useQuestion(ReadDocument, variables, { enabled: detail === undefined })
  if (detail) return <ReadPage project={project} page={detail} />
  const asked = { document: ReadDocument, variables }
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && <Shown found={found} asked={asked} project={project} address={address} />
      }
    </Answered>
  )
}

function Figures({ trafficOverview, sitemapCoverage }: Found) {
  const { crawlers, referrals } = trafficOverview ?? {}
  const coverage = sitemapCoverage?.summary
  if (!crawlers || !referrals) return null
  return (
    <ul className="tiles">
      <CountFigure
        label={t.read.visits}
        value={shown(crawlers.total, 'count')}
        words={t.read.visitsOf(crawlers.aiVisits, crawlers.searchEngineVisits)}
      />
      <CountFigure
        label={t.read.referrals}
        value={shown(referrals.total, 'count')}
        words={t.read.referralsOf}
      />
      {coverage && (
        <CountFigure
          label={t.read.coverage}
          value={
            coverage.coverageRate === null
              ? t.read.noSitemap
              : shown(coverage.coverageRate, 'percent')
          }
          words={t.read.coverageOf(coverage.crawledUrls, coverage.sitemapUrls)}
        />
      )}
    </ul>
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<ReadQuery, { project: string }>
  readonly address: Address
}

function Shown({ found, asked, project, address }: ShownProps) {
  const { trafficOverview, trafficStatus, crawlers, trafficCorrelation, sitemapCoverage } = found
  const chart = useMemo(
    () =>
      countChart(
        t.read.byDay,
        t.read.title,
        trafficOverview?.dateRange,
        (trafficOverview?.crawlers.series ?? []).map(({ date, total }) => ({ date, count: total })),
      ),
    [trafficOverview],
  )
  if (!trafficOverview) {
    return (
      <div className="state">
        <p>{t.read.none}</p>
        <p className="lead">{t.read.noneHint}</p>
      </div>
    )
  }
  const unread = sitemapCoverage?.nodes ?? []
  const { variables } = asked
  return (
    <>
      {trafficStatus && (
        <p className="when">
          {t.read.states[trafficStatus.status]}{' '}
          {trafficStatus.lastEventAt && t.read.lastEvent(t.moment(trafficStatus.lastEventAt))}
        </p>
      )}
      <Figures {...found} />
      <Part
        title={t.read.byDay}
        asked={asked}
        chart={<Chart chart={chart} />}
        columns={dayColumns}
        rows={trafficOverview.crawlers.series.toReversed()}
        keyOf={({ date }) => date}
      />
      <Part
        title={t.read.crawlers}
        lead={t.read.crawlersLead}
        asked={asked}
        columns={crawlerColumns}
        rows={crawlers?.nodes ?? []}
        keyOf={({ botId }) => String(botId)}
        whole={() => wholeList(AllCrawlersDocument, variables, (all) => all.project?.crawlers)}
      />
      <Part
        title={t.read.statuses}
        lead={t.read.statusesLead}
        asked={asked}
        columns={statusColumns}
        rows={trafficOverview.crawlers.byStatus}
        keyOf={({ statusCode }) => String(statusCode)}
      />
      <Part
        title={t.read.pages}
        {...(trafficCorrelation && { lead: trafficCorrelation.note })}
        asked={asked}
        columns={pathColumns(project.id, address)}
        rows={trafficCorrelation?.nodes ?? []}
        keyOf={({ path }) => path ?? ''}
        whole={() =>
          wholeList(AllPathsDocument, variables, (all) => all.project?.trafficCorrelation)
        }
      />
      <Part
        title={t.read.unread}
        lead={
          unread.length > 0
            ? t.read.unreadLead(unread.length, sitemapCoverage?.totalCount ?? unread.length)
            : t.read.allRead
        }
        asked={asked}
        columns={unreadColumns}
        rows={unread}
        keyOf={({ url }) => url}
        whole={() => wholeList(AllUnreadDocument, variables, (all) => all.project?.sitemapCoverage)}
      />
    </>
  )
}
