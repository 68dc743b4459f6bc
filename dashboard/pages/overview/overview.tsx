import { Menu, Skeleton } from '@mantine/core'
import { IconCertificate } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { rolling } from '../../../core/rolling.ts'
import { shown } from '../../../web/share/numbers.ts'
import {
  AlertsDocument,
  HeadlineDocument,
  type HeadlineQuery,
  OverviewDocument,
  type OverviewQuery,
} from '../../documents.ts'
import { Figure, Figures } from '../../parts/figures.tsx'
import { notifyFailure } from '../../parts/notify.ts'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { Answered, Loading } from '../../parts/states.tsx'
import { type Address, pathOf, useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { rankedOf, useSureShares } from './ranked.ts'
import { Warnings } from './warnings.tsx'

const loadDetails = async () => ({ default: (await import('./details.tsx')).Details })
const Details = lazy(loadDetails)
const Definitions = lazy(async () => ({
  default: (await import('./definitions.tsx')).Definitions,
}))

type First = NonNullable<HeadlineQuery['project']>
type Found = NonNullable<OverviewQuery['project']>

const headlineOf = ({ project, window, filter }: Omit<Visit, 'state' | 'compare'>) => ({
  project,
  window,
  filter,
})

export const overviewOpening: Opening = (visit) => (queries) => {
  prefetch(HeadlineDocument, headlineOf(visit))(queries)
  prefetch(AlertsDocument, { project: visit.project })(queries)
  void loadDetails().catch(() => undefined)
}

/** How the brand does, against whom, what moved it, and what comes next. */
export function Overview({ project }: PageProps) {
  const address = useAddress()
  const first = headlineOf({ ...address, project: project.id })
  const { window, compare } = address
  const variables = { ...first, compare, interval: intervalOf(window) }
  const headline = useQuestion(HeadlineDocument, first)
  const warnings = useQuestion(AlertsDocument, { project: project.id })
  // The intervals take most of the time, so they come after the numbers.
  const query = useQuestion(OverviewDocument, variables, {
    enabled: headline.data !== undefined && !headline.isPlaceholderData,
  })
  return (
    <Answered query={headline}>
      {({ project: found }) => {
        // Nothing moves down when the warnings come.
        if (!found || warnings.isPending) return <Loading />
        if (!found.visibility?.summary.answerCount) return <NoData project={project} />
        const isOfBefore = query.isPlaceholderData && !headline.isPlaceholderData
        const whole = isOfBefore ? undefined : (query.data?.project ?? undefined)
        return (
          <>
            <Warnings project={project.id} found={warnings.data?.project} />
            <Headline
              first={found}
              whole={whole}
              isPending={!whole && !query.isError}
              project={project.id}
              address={address}
            />
            <Answered query={query} loading={<Outline />}>
              {({ project: all }) =>
                all && (
                  <Suspense fallback={<Outline />}>
                    <Details
                      project={project.id}
                      found={all}
                      asked={{ document: OverviewDocument, variables }}
                    />
                  </Suspense>
                )
              }
            </Answered>
          </>
        )
      }}
    </Answered>
  )
}

/** The outline of what comes after the headline. */
function Outline() {
  return (
    <>
      <div className="wide-and-narrow">
        <Skeleton h={382} radius="md" />
        <Skeleton h={382} radius="md" />
      </div>
      <div className="wide-and-narrow even">
        <Skeleton h={340} radius="md" />
        <Skeleton h={340} radius="md" />
      </div>
    </>
  )
}

interface HeadlineProps {
  readonly first: First
  /** With intervals, changes and trends; undefined until it is there. */
  readonly whole: Found | undefined
  readonly isPending: boolean
  readonly project: string
  readonly address: Address
}

/** The brands by their share of voice, the largest first. */
const voicesOf = ({ shareOfVoice }: First) =>
  (shareOfVoice?.nodes ?? []).toSorted((a, b) => shareOf(b) - shareOf(a))

const shareOf = ({ metrics }: NonNullable<First['shareOfVoice']>['nodes'][number]) =>
  metrics.shareOfVoice.value ?? 0

/** "26.0% of mentions · Kessler leads with 28.4%". */
function shareWords(voices: ReturnType<typeof voicesOf>): string {
  const { overview } = t
  const text = (voice: (typeof voices)[number] | undefined) =>
    shown(voice?.metrics.shareOfVoice.value ?? null, 'percent')
  const share = text(voices.find(({ brand }) => brand.isOwn))
  const [first, second] = voices
  if (!first || !second) return overview.shareAlone(share)
  return first.brand.isOwn
    ? overview.shareLeads(share, second.brand.name, text(second))
    : overview.shareOf(share, first.brand.name, text(first))
}

/** The small line of a number: by day as the mean of a week. */
function useTrend() {
  const isDaily = intervalOf(useAddress().window) === 'day'
  return (points: Parameters<typeof rolling>[0]) =>
    isDaily ? rolling(points) : points.map(({ value }) => value)
}

function Headline({ first, whole, isPending, project, address }: HeadlineProps) {
  const trendOf = useTrend()
  const [isDefining, setDefining] = useState(false)
  const prove = async () => {
    const { copyProof } = await import('./proof.ts')
    return copyProof(headlineOf({ ...address, project }))
  }
  const proof = (
    <Menu.Item
      leftSection={<IconCertificate size={16} />}
      onClick={() => void prove().catch(notifyFailure)}
    >
      {t.tools.proof}
    </Menu.Item>
  )
  // Last of the headline: they take longest where there are many brands.
  const sure = useSureShares(project, whole !== undefined)
  const { visibility, sentiment } = whole ?? first
  if (!visibility || !sentiment) return null
  const { overview } = t
  const { link } = address
  const { summary } = visibility
  const { positive, neutral, negative } = sentiment.summary
  const rated = positive + neutral + negative
  const part = (number: number) => shown(rated ? (100 * number) / rated : 0, 'percent')
  const voices = voicesOf(first)
  const rank = voices.findIndex(({ brand }) => brand.isOwn) + 1
  const voice = voices[rank - 1]
  if (!voice) return null
  const own = whole && rankedOf(whole, sure).find(({ brand }) => brand.isOwn)
  const changes = whole?.visibility?.summary.changes
  const history = whole?.visibilityHistory?.history ?? []
  const sentiments = whole?.sentimentHistory?.history ?? []
  return (
    <>
      <Figures>
        <Figure
          label={overview.visibility}
          hint={`${overview.visibilityHint} ${overview.visibilityMore}`}
          onAbout={() => setDefining(true)}
          menu={proof}
          unit="percent"
          metric={summary.metrics.visibilityScore}
          words={overview.visibilityOf(summary.mentionedIn, summary.answerCount)}
          change={changes?.visibilityScore}
          trend={trendOf(history.map(({ metrics }) => metrics.visibilityScore))}
          isPending={isPending}
          href={link(pathOf(project, 'answers'), { mentions: 'yes' })}
        />
        <Figure
          label={overview.share}
          hint={overview.shareHint}
          menu={proof}
          unit="percent"
          metric={own?.sov ?? voice.metrics.shareOfVoice}
          value={overview.rank(rank, voices.length)}
          words={shareWords(voices)}
          change={own?.change}
          trend={trendOf((own?.visibility.trend ?? []).map(({ metrics }) => metrics.shareOfVoice))}
          isPending={isPending}
          isChangePending={isPending || !sure}
          href={link(pathOf(project, 'competitors'))}
        />
        <Figure
          label={overview.sentiment}
          hint={overview.sentimentHint}
          unit="score"
          metric={sentiment.summary.metrics.score}
          words={overview.sentimentOf(
            part(positive),
            part(neutral),
            part(negative),
            sentiment.summary,
          )}
          change={whole?.sentiment?.summary.changes?.score}
          trend={trendOf(
            sentiments.map(({ score, rated }) => ({ value: score, denominator: rated })),
          )}
          isPending={isPending}
          href={link(pathOf(project, 'answers'), { sentiment: 'negative' })}
        />
        <Figure
          label={overview.position}
          hint={overview.positionHint}
          menu={proof}
          unit="position"
          metric={summary.metrics.averagePosition}
          words={overview.positionOf(summary.metrics.averagePosition.denominator)}
          change={changes?.averagePosition}
          isLowBetter
          trend={trendOf(history.map(({ metrics }) => metrics.averagePosition))}
          isPending={isPending}
          href={link(pathOf(project, 'answers'), { mentions: 'yes' })}
        />
      </Figures>
      {isDefining && (
        <Suspense>
          <Definitions project={project} onClose={() => setDefining(false)} />
        </Suspense>
      )}
    </>
  )
}
