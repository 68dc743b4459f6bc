import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { ReportChart } from '../../../web/share/charts.ts'
import { shown } from '../../../web/share/numbers.ts'
import {
  AiTrafficDocument,
  type AiTrafficQuery,
  type AiTrafficQueryVariables,
  AllCrawlersDocument,
  AllPathsDocument,
  AllUnreadDocument,
} from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { countPoint } from '../../parts/days.ts'
import { CountFigure, Figures } from '../../parts/figures.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { Senders } from '../settings/senders.tsx'
import { CrawlerPages } from './crawler.tsx'
import {
  blockedOf,
  CrawlsOverTime,
  Landings,
  ReferralsByPlatform,
  ReferralsOverTime,
} from './over-time.tsx'
import { Search } from './search.tsx'
import { SitePage } from './site-page.tsx'
import { statusColor, statusText } from './status.ts'

type Found = NonNullable<AiTrafficQuery['project']>
type Crawler = NonNullable<Found['crawlers']>['nodes'][number]
type Path = NonNullable<Found['trafficCorrelation']>['nodes'][number]
type Unread = NonNullable<Found['sitemapCoverage']>['nodes'][number]
type Overview = NonNullable<Found['trafficOverview']>
type Status = Overview['crawlers']['byStatus'][number]

const { aiTraffic } = t

const crawlerColumns = (project: string): readonly Column<Crawler>[] => [
  textColumn(
    aiTraffic.crawler,
    ({ botName }) => botName,
    ({ botName }) => (
      <PageLink project={project} to={['ai-traffic', botName]}>
        {botName}
      </PageLink>
    ),
  ),
  { ...textColumn<Crawler>(aiTraffic.operator, ({ botVendor }) => botVendor), isMinor: true },
  {
    ...textColumn<Crawler>(aiTraffic.purpose, ({ botCategory }) => aiTraffic.purposes[botCategory]),
    isMinor: true,
  },
  countColumn(aiTraffic.visits, ({ visits }) => visits),
  countColumn(aiTraffic.verified, ({ verification }) => verification?.verified ?? null),
  {
    ...countColumn<Crawler>(aiTraffic.signed, ({ verification }) => verification?.signed ?? null),
    isMinor: true,
  },
  countColumn(aiTraffic.unverified, ({ verification }) => verification?.claimed ?? null),
  countColumn(aiTraffic.spoofed, ({ verification }) => verification?.impostor ?? null),
  { ...countColumn<Crawler>(aiTraffic.paths, ({ paths }) => paths), isMinor: true },
  { ...timeColumn<Crawler>(aiTraffic.lastSeen, ({ lastSeenAt }) => lastSeenAt), isMinor: true },
]

const statusColumns: readonly Column<Status>[] = [
  {
    name: aiTraffic.status,
    isText: true,
    value: ({ statusCode }) => statusText(statusCode),
    show: ({ statusCode }) => (
      <Badge color={statusColor(statusCode)}>{statusText(statusCode)}</Badge>
    ),
  },
  countColumn(aiTraffic.visits, ({ visits }) => visits),
]

function pathColumns(project: string): readonly Column<Path>[] {
  return [
    textColumn(
      aiTraffic.path,
      ({ path }) => path ?? '',
      ({ path, page }) =>
        page ? (
          <PageLink project={project} to={['ai-traffic', page.id]}>
            {path}
          </PageLink>
        ) : (
          path
        ),
    ),
    countColumn(aiTraffic.crawls, ({ visits }) => visits),
    countColumn(aiTraffic.citations, ({ citationCount }) => citationCount),
    countColumn(aiTraffic.sessions, ({ sessions }) => sessions),
  ]
}

const unreadColumns: readonly Column<Unread>[] = [
  textColumn(
    t.columns.page,
    ({ url }) => url,
    ({ url }) => <Outside url={url} />,
  ),
  {
    ...timeColumn<Unread>(aiTraffic.lastCrawled, ({ lastCrawledAt }) => lastCrawledAt),
    show: ({ lastCrawledAt }) => (lastCrawledAt ? t.moment(lastCrawledAt) : aiTraffic.never),
  },
]

/** Of a page of the site; all else is the name of a crawler. */
const isId = /^[\da-f]{8}-[\da-f-]{27}$/i

const variablesOf = ({
  project,
  window,
  compare,
}: Pick<Visit, 'project' | 'window' | 'compare'>) => ({
  project,
  window,
  compare,
  interval: intervalOf(window),
})

export const aiTrafficOpening: Opening = ({ detail, ...visit }) =>
  detail ? undefined : prefetch(AiTrafficDocument, variablesOf(visit))

/** AI crawlers and what they read, and people who come from AI platforms; or one page of the site. */
export function AiTraffic({ project, detail }: PageProps) {
  const variables = variablesOf({ ...useAddress(), project: project.id })
  const query = useQuestion(AiTrafficDocument, variables, { enabled: detail === undefined })
  if (detail && isId.test(detail)) return <SitePage project={project} page={detail} />
  if (detail) return <CrawlerPages project={project} name={detail} />
  const asked = { document: AiTrafficDocument, variables }
  return (
    <Answered query={query}>
      {({ project: found }) => found && <Shown found={found} asked={asked} project={project} />}
    </Answered>
  )
}

function Headline({ trafficOverview, sitemapCoverage }: Found) {
  const { crawlers, referrals } = trafficOverview ?? {}
  const coverage = sitemapCoverage?.summary
  if (!crawlers || !referrals) return null
  const errors = crawlers.byStatus
    .filter(({ statusCode }) => statusCode >= 400)
    .reduce((sum, { visits }) => sum + visits, 0)
  return (
    <Figures>
      <CountFigure
        label={aiTraffic.visits}
        value={shown(crawlers.total, 'count')}
        words={aiTraffic.visitsOf(crawlers.aiVisits, crawlers.searchEngineVisits)}
        change={crawlers.change?.change}
      />
      <CountFigure
        label={aiTraffic.referrals}
        value={shown(referrals.total, 'count')}
        words={aiTraffic.referralsOf}
        change={referrals.change?.change}
      />
      {coverage && (
        <CountFigure
          label={aiTraffic.coverage}
          value={
            coverage.coverageRate === null
              ? aiTraffic.noSitemap
              : shown(coverage.coverageRate, 'percent')
          }
          words={aiTraffic.coverageOf(coverage.crawledUrls, coverage.sitemapUrls)}
        />
      )}
      <CountFigure
        label={aiTraffic.errors}
        value={crawlers.total ? shown((100 * errors) / crawlers.total, 'percent') : '0'}
        words={aiTraffic.errorsOf(errors)}
      />
    </Figures>
  )
}

function purposesOf({ crawlers }: Overview): ReportChart {
  return {
    title: aiTraffic.byPurpose,
    section: aiTraffic.title,
    kind: 'bars',
    unit: 'count',
    points: crawlers.byCategory.map(({ botCategory, visits }) =>
      countPoint(aiTraffic.purposes[botCategory], visits),
    ),
  }
}

/** What the site audit found: crawlers that the site keeps out. */
function Blocked({ project, found }: { readonly project: string; readonly found: Found }) {
  const issues = blockedOf(found)
  if (issues.length === 0) return null
  return (
    <Alert
      mb="md"
      color="orange"
      icon={<IconBan aria-hidden />}
      title={aiTraffic.blocked}
      role="status"
    >
      <Stack gap={2} component="ul" className="plain">
        {[...Map.groupBy(issues, ({ title }) => title)].map(([title, all]) => (
          <li key={title}>
            <PageLink
              project={project}
              to={['site-audit']}
              size="sm"
              c="inherit"
              underline="always"
            >
              {title}
            </PageLink>{' '}
            <Text span size="sm">
              {aiTraffic.pagesOf(all.length)}
            </Text>
          </li>
        ))}
      </Stack>
    </Alert>
  )
}

const stateColors = {
  connected: 'teal',
  waiting: 'blue',
  stale: 'orange',
  not_connected: 'gray',
} as const

/** How a site is connected, and whether its first event has come. */
function NotConnected({ project }: PageProps) {
  const { link } = useAddress()
  return (
    <Stack gap="md">
      <div>
        <Title order={2}>{aiTraffic.none}</Title>
        <Text c="dimmed">{aiTraffic.noneLead}</Text>
      </div>
      <Senders project={project.id} />
      <Group gap="sm">
        <Text size="sm">{aiTraffic.hasLog}</Text>
        <Button
          component={Link}
          variant="default"
          size="xs"
          href={link(pathOf(project.id, 'imports'))}
        >
          {aiTraffic.importLog}
        </Button>
      </Group>
    </Stack>
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<AiTrafficQuery, AiTrafficQueryVariables>
}

function Shown({ found, asked, project }: ShownProps) {
  const { trafficOverview, trafficStatus, crawlers, trafficCorrelation, sitemapCoverage } = found
  const isWaiting = trafficStatus?.status === 'waiting' && trafficOverview?.crawlers.total === 0
  if (!trafficOverview || isWaiting) return <NotConnected project={project} />
  const { variables } = asked
  const parts = { overview: trafficOverview, asked }
  return (
    <>
      {trafficStatus && (
        <Group gap="xs" mb="sm">
          <Badge variant="dot" color={stateColors[trafficStatus.status]}>
            {aiTraffic.states[trafficStatus.status]}
          </Badge>
          {trafficStatus.lastEventAt && (
            <Text size="sm" c="dimmed">
              {aiTraffic.lastEvent(t.moment(trafficStatus.lastEventAt))}
            </Text>
          )}
        </Group>
      )}
      <Blocked project={project.id} found={found} />
      <Headline {...found} />
      <div className="wide-and-narrow">
        <CrawlsOverTime {...parts} />
        <Panel title={aiTraffic.byPurpose} asked={asked}>
          <Chart chart={purposesOf(trafficOverview)} />
        </Panel>
      </div>
      <ReferralsOverTime {...parts} />
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <ReferralsByPlatform {...parts} />
        <Landings found={found} project={project.id} asked={asked} />
      </SimpleGrid>
      <Part
        title={aiTraffic.crawlers}
        lead={aiTraffic.crawlersLead}
        asked={asked}
        columns={crawlerColumns(project.id)}
        rows={crawlers?.nodes ?? []}
        keyOf={({ botId }) => String(botId)}
        whole={() => wholeList(AllCrawlersDocument, variables, (all) => all.project?.crawlers)}
      />
      <div className="wide-and-narrow">
        <Part
          title={aiTraffic.pages}
          lead={trafficCorrelation?.note}
          asked={asked}
          columns={pathColumns(project.id)}
          rows={trafficCorrelation?.nodes ?? []}
          keyOf={({ path }) => path ?? ''}
          whole={() =>
            wholeList(AllPathsDocument, variables, (all) => all.project?.trafficCorrelation)
          }
        />
        <Part
          title={aiTraffic.statuses}
          lead={aiTraffic.statusesLead}
          asked={asked}
          columns={statusColumns}
          rows={trafficOverview.crawlers.byStatus}
          keyOf={({ statusCode }) => String(statusCode)}
        />
      </div>
      <Part
        title={aiTraffic.unread}
        empty={aiTraffic.allRead}
        asked={asked}
        columns={unreadColumns}
        rows={sitemapCoverage?.nodes ?? []}
        keyOf={({ url }) => url}
        whole={() => wholeList(AllUnreadDocument, variables, (all) => all.project?.sitemapCoverage)}
      />
      <Search project={project} />
    </>
  )
}
