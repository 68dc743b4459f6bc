import { Select, Text } from '@mantine/core'
import { mostLines } from '../../../web/share/look.ts'
import type { AiTrafficQuery, AiTrafficQueryVariables } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { countPoint } from '../../parts/days.ts'
import { PageLink } from '../../parts/links.tsx'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Steps } from '../../parts/steps.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { intervalOf, stepsOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'

type Found = NonNullable<AiTrafficQuery['project']>
type Overview = NonNullable<Found['trafficOverview']>

const { aiTraffic } = t

interface PartProps {
  readonly overview: Overview
  readonly asked: Asked<AiTrafficQuery, AiTrafficQueryVariables>
}

/** Visits of crawlers over time: all, and by the AI platform that they read for. */
export function CrawlsOverTime({ overview: { crawlers, dateRange }, asked }: PartProps) {
  const { window } = useAddress()
  const steps = stepsOf(dateRange, intervalOf(window))
  const valuesOf = (points: readonly { date: string; visits: number }[]) => {
    const byDate = new Map(points.map(({ date, visits }) => [date, visits]))
    return steps.map((step) => byDate.get(step) ?? 0)
  }
  const series = [
    { name: aiTraffic.allCrawlers, isOwn: true, values: valuesOf(crawlers.series) },
    ...crawlers.byPlatform.slice(0, mostLines).map(({ platform, series: points }) => ({
      name: platform.displayName,
      values: valuesOf(points),
    })),
  ]
  return (
    <Steps
      title={aiTraffic.overTime}
      sub={aiTraffic.overTimeLead}
      asked={asked}
      steps={steps}
      series={series}
    />
  )
}

/** Sessions from AI platforms over time. */
export function ReferralsOverTime({ overview: { referrals, dateRange }, asked }: PartProps) {
  const { window } = useAddress()
  if (referrals.total === 0) return null
  const steps = stepsOf(dateRange, intervalOf(window))
  // Analytics come a day or two late: the lines end with the data, since a fall to zero would be read as a loss.
  const last =
    referrals.series
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? ''
  const series = referrals.byPlatform.slice(0, mostLines).map(({ platform }) => {
    const own = referrals.series.filter((point) => point.platform.slug === platform.slug)
    const byDate = new Map(own.map(({ date, sessions }) => [date, sessions]))
    const sessionsIn = (step: string) => byDate.get(step) ?? (step > last ? null : 0)
    return { name: platform.displayName, values: steps.map(sessionsIn) }
  })
  return <Steps title={aiTraffic.referralsOverTime} asked={asked} steps={steps} series={series} />
}

/** Sessions of each AI platform; a bar narrows the landing pages to it. */
export function ReferralsByPlatform({ overview: { referrals }, asked }: PartProps) {
  const { link, state } = useAddress()
  const slugs = new Map(
    referrals.byPlatform.map(({ platform }) => [platform.displayName, platform.slug]),
  )
  return (
    <Panel title={aiTraffic.byPlatform} sub={aiTraffic.byPlatformLead} asked={asked}>
      {referrals.byPlatform.length === 0 ? (
        <Text size="sm" c="dimmed">
          {aiTraffic.noReferrals}
        </Text>
      ) : (
        <Chart
          chart={{
            title: aiTraffic.byPlatform,
            section: aiTraffic.title,
            kind: 'bars',
            unit: 'count',
            points: referrals.byPlatform.map(({ platform, sessions }) =>
              countPoint(platform.displayName, sessions),
            ),
          }}
          linkOf={(label) => link(location.pathname, { ...state, from_platform: slugs.get(label) })}
        />
      )}
    </Panel>
  )
}

interface Landing {
  readonly path: string
  readonly page: string | null
  readonly sessions: number
}

/** The landing pages of one AI platform, or of all, most sessions first. */
function landingsOf({ trafficAttribution }: Found, slug: string | undefined): Landing[] {
  const rows = (trafficAttribution?.rows ?? []).filter(
    ({ platform }) => slug === undefined || platform?.slug === slug,
  )
  return [...Map.groupBy(rows, ({ landingPath }) => landingPath ?? '')]
    .map(([path, found]) => ({
      path,
      page: found.find(({ page }) => page)?.page?.id ?? null,
      sessions: found.reduce((sum, { sessions }) => sum + sessions, 0),
    }))
    .toSorted((a, b) => b.sessions - a.sessions)
}

const landingColumns = (project: string): readonly Column<Landing>[] => [
  textColumn(
    aiTraffic.path,
    ({ path }) => path || aiTraffic.noPath,
    ({ path, page }) =>
      page ? (
        <PageLink project={project} to={['ai-traffic', page]}>
          {path}
        </PageLink>
      ) : (
        path || aiTraffic.noPath
      ),
  ),
  countColumn(aiTraffic.referrals, ({ sessions }) => sessions),
]

interface LandingsProps {
  readonly found: Found
  readonly project: string
  readonly asked: Asked<AiTrafficQuery, AiTrafficQueryVariables>
}

/** The pages where sessions from AI platforms begin. */
export function Landings({ found, project, asked }: LandingsProps) {
  const { state, set } = useAddress()
  const slug = state.from_platform
  const platforms = found.trafficOverview?.referrals.byPlatform ?? []
  return (
    <Part
      title={aiTraffic.landing}
      empty={aiTraffic.noReferrals}
      asked={asked}
      right={
        platforms.length > 1 && (
          <Select
            size="xs"
            w={150}
            placeholder={t.shell.allPlatforms}
            aria-label={t.columns.platform}
            data={platforms.map(({ platform }) => ({
              value: platform.slug,
              label: platform.displayName,
            }))}
            value={slug ?? null}
            onChange={(value) => set({ from_platform: value ?? undefined })}
            clearable
          />
        )
      }
      columns={landingColumns(project)}
      rows={landingsOf(found, slug)}
      keyOf={({ path }) => path}
      size={6}
    />
  )
}

/** Checks of the site audit that find a crawler kept out. */
const blocking = new Set([
  'ai-search-bots-blocked',
  'ai-training-bots-blocked',
  'ai-bots-blocked-page',
  'ai-meta-blocked',
  'content-signal-blocks-ai',
])

export const blockedOf = ({ issues }: Found) =>
  (issues?.nodes ?? []).filter(({ type }) => blocking.has(type))
