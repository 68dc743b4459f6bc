import { rolling } from '../../../core/rolling.ts'
import { shown } from '../../../web/share/numbers.ts'
import { type HistoryInterval, OverviewDocument, type OverviewQuery } from '../../documents.ts'
import { Figure, Figures } from '../../parts/figures.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import type { Asked } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Address, pathOf, useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { Brands, rankedOf } from './brands.tsx'
import { Details } from './details.tsx'
import { Warnings } from './warnings.tsx'

type Variables = { readonly project: string; readonly interval: HistoryInterval }
type Found = NonNullable<OverviewQuery['project']>

const variablesOf = ({ project, window, filter, compare }: Omit<Visit, 'state'>) => ({
  project,
  window,
  filter,
  compare,
  interval: intervalOf(window),
})

export const overviewOpening: Opening = (visit) => prefetch(OverviewDocument, variablesOf(visit))

/** How the brand does, against whom, what moved it, and what comes next. */
export function Overview({ project }: PageProps) {
  const address = useAddress()
  const variables = variablesOf({ ...address, project: project.id })
  const asked = { document: OverviewDocument, variables }
  return (
    <Answered query={useQuestion(OverviewDocument, variables)}>
      {({ project: found }) =>
        found && <Shown found={found} asked={asked} project={project} address={address} />
      }
    </Answered>
  )
}

interface HeadlineProps {
  readonly found: Found
  readonly project: string
  readonly address: Address
}

/** "26.0% of mentions · Kessler leads with 28.4%". */
function shareWords(found: Found): string {
  const { overview } = t
  const ranked = rankedOf(found)
  const own = ranked.find(({ brand }) => brand.isOwn)
  const share = shown(own?.sov.value ?? null, 'percent')
  const [first, second] = ranked
  if (!first || !second || !own) return overview.shareAlone(share)
  if (!first.brand.isOwn) {
    return overview.shareOf(share, first.brand.name, shown(first.sov.value, 'percent'))
  }
  return overview.shareLeads(share, second.brand.name, shown(second.sov.value, 'percent'))
}

/** The small line of a number: by day as the mean of a week. */
function useTrend() {
  const isDaily = intervalOf(useAddress().window) === 'day'
  return (points: Parameters<typeof rolling>[0]) =>
    isDaily ? rolling(points) : points.map(({ value }) => value)
}

function Headline({ found, project, address }: HeadlineProps) {
  const trendOf = useTrend()
  const { visibility, sentiment, visibilityHistory, sentimentHistory } = found
  if (!visibility || !sentiment) return null
  const { overview } = t
  const { link } = address
  const { summary } = visibility
  const { positive, neutral, negative } = sentiment.summary
  const rated = positive + neutral + negative
  const part = (number: number) => shown(rated ? (100 * number) / rated : 0, 'percent')
  const ranked = rankedOf(found)
  const rank = ranked.findIndex(({ brand }) => brand.isOwn) + 1
  const own = ranked[rank - 1]
  if (!own) return null
  const history = visibilityHistory?.history ?? []
  return (
    <Figures>
      <Figure
        label={overview.visibility}
        hint={overview.visibilityHint}
        unit="percent"
        metric={summary.metrics.visibilityScore}
        words={overview.visibilityOf(summary.mentionedIn, summary.answerCount)}
        change={summary.changes?.visibilityScore}
        trend={trendOf(history.map(({ metrics }) => metrics.visibilityScore))}
        href={link(pathOf(project, 'answers'), { mentions: 'yes' })}
      />
      <Figure
        label={overview.share}
        hint={overview.shareHint}
        unit="percent"
        metric={own.sov}
        value={overview.rank(rank, ranked.length)}
        words={shareWords(found)}
        change={own.change}
        trend={trendOf(own.visibility.trend.map(({ metrics }) => metrics.shareOfVoice))}
        href={link(pathOf(project, 'competitors'))}
      />
      <Figure
        label={overview.sentiment}
        hint={overview.sentimentHint}
        unit="score"
        metric={sentiment.summary.metrics.score}
        words={overview.sentimentOf(part(positive), part(neutral), part(negative))}
        change={sentiment.summary.changes?.score}
        trend={trendOf(
          (sentimentHistory?.history ?? []).map(({ score, rated }) => ({
            value: score,
            denominator: rated,
          })),
        )}
        href={link(pathOf(project, 'answers'), { sentiment: 'negative' })}
      />
      <Figure
        label={overview.position}
        hint={overview.positionHint}
        unit="position"
        metric={summary.metrics.averagePosition}
        words={overview.positionOf(summary.metrics.averagePosition.denominator)}
        change={summary.changes?.averagePosition}
        isLowBetter
        trend={trendOf(history.map(({ metrics }) => metrics.averagePosition))}
        href={link(pathOf(project, 'answers'), { mentions: 'yes' })}
      />
    </Figures>
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<OverviewQuery, Variables>
  readonly address: Address
}

function Shown({ found, asked, project, address }: ShownProps) {
  if (!found.visibility?.summary.answerCount) return <NoData project={project} />
  return (
    <>
      <Warnings project={project.id} />
      <Headline found={found} project={project.id} address={address} />
      <Details
        project={project.id}
        found={found}
        asked={asked}
        brands={<Brands found={found} asked={asked} project={project.id} />}
      />
    </>
  )
}
