import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import { SitePageDocument, type SitePageQuery } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { countChart } from '../../parts/days.ts'
import { Heading } from '../../parts/heading.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'

type Page = NonNullable<NonNullable<SitePageQuery['project']>['page']>
type Metrics = NonNullable<Page['metrics']>

interface Step {
  readonly name: string
  /** Null where no source of the step is connected. */
  readonly times: number | null
}

const { aiTraffic } = t

/** From the crawler to the visitor, in the order of the way. */
function stepsOf({ crawls, retrievals, citations, referrals, clicks }: Metrics): Step[] {
  const { steps } = aiTraffic
  return [
    { name: steps.crawled, times: crawls.total },
    { name: steps.retrieved, times: retrievals.total },
    { name: steps.cited, times: citations.total },
    { name: steps.referred, times: referrals.total },
    { name: steps.clicked, times: clicks.total },
  ]
}

const botColumns: readonly Column<Metrics['crawls']['byBot'][number]>[] = [
  textColumn(aiTraffic.crawler, ({ botName }) => botName),
  countColumn(aiTraffic.visits, ({ visits }) => visits),
]

const platformColumns: readonly Column<Metrics['citations']['byPlatform'][number]>[] = [
  textColumn(t.columns.platform, ({ platform }) => platform.displayName),
  countColumn(t.columns.answers, ({ citedIn }) => citedIn),
]

/** Visits of all crawlers by day. */
function crawlDays({ crawls }: Metrics) {
  const days = new Map<string, number>()
  for (const { date, visits } of crawls.series) days.set(date, (days.get(date) ?? 0) + visits)
  return [...days].map(([date, count]) => ({ date, count }))
}

function Funnel({ steps }: { readonly steps: readonly Step[] }) {
  const most = Math.max(1, ...steps.map(({ times }) => times ?? 0))
  return (
    <Stack gap="sm" component="ol" className="funnel">
      {steps.map(({ name, times }) => (
        <li key={name}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{name}</Text>
            <Text size="sm" fw={600} {...(times === null && { c: 'dimmed' })}>
              {times === null ? t.notConnected : shown(times, 'count')}
            </Text>
          </Group>
          <Progress value={((times ?? 0) / most) * 100} size="lg" aria-hidden />
        </li>
      ))}
    </Stack>
  )
}

/** The way of one page of the site: crawled, retrieved, cited, visited. */
export function SitePage({ project, page }: { project: Project; page: string }) {
  const { window, link } = useAddress()
  const variables = { project: project.id, page, window }
  const asked = { document: SitePageDocument, variables }
  return (
    <Answered query={useQuestion(SitePageDocument, variables)}>
      {({ project: found }) => {
        const one = found?.page
        const metrics = one?.metrics
        const from = { label: aiTraffic.all, href: link(pathOf(project.id, 'ai-traffic')) }
        if (!one || !metrics) return <Heading title={aiTraffic.missing} from={from} />
        const { dateRange, crawls, citations } = metrics
        return (
          <>
            <Heading
              title={one.title || one.url}
              from={from}
              sub={
                <>
                  <Outside url={one.url} />
                  {one.openIssueCount > 0 && (
                    <>
                      {' · '}
                      <PageLink project={project.id} to={['site-audit']}>
                        {aiTraffic.issues(one.openIssueCount)}
                      </PageLink>
                    </>
                  )}
                </>
              }
            />
            <div className="wide-and-narrow">
              <Panel title={aiTraffic.citationsOverTime} asked={asked} hasChart>
                <Chart
                  chart={countChart(
                    aiTraffic.citationsOverTime,
                    one.url,
                    dateRange,
                    citations.series.map(({ date, citedIn }) => ({ date, count: citedIn })),
                  )}
                />
              </Panel>
              <Panel title={aiTraffic.funnel} sub={aiTraffic.funnelLead} asked={asked}>
                <Funnel steps={stepsOf(metrics)} />
              </Panel>
            </div>
            {crawls.available && (
              <Panel title={aiTraffic.crawlsOverTime} asked={asked} hasChart>
                <Chart
                  chart={countChart(
                    aiTraffic.crawlsOverTime,
                    one.url,
                    dateRange,
                    crawlDays(metrics),
                  )}
                />
              </Panel>
            )}
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Part
                title={aiTraffic.byCrawler}
                empty={aiTraffic.allRead}
                asked={asked}
                columns={botColumns}
                rows={crawls.byBot}
                keyOf={({ botName }) => botName}
              />
              <Part
                title={aiTraffic.citing}
                empty={t.noAnswers}
                asked={asked}
                columns={platformColumns}
                rows={citations.byPlatform}
                keyOf={({ platform }) => platform.slug}
              />
            </SimpleGrid>
          </>
        )
      }}
    </Answered>
  )
}
