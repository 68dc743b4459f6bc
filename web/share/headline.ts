import { escaped } from '../../core/escaped.ts'
import type { ReportUnit } from '../../core/reports/content.ts'
import type { ReportView, ViewChange, ViewNumber, ViewPoint } from '../../core/reports/view.ts'
import { rolling } from '../../core/rolling.ts'
import { count, counted, interval, shown } from './numbers.ts'
import { sparklineOf } from './sparkline.ts'

interface ChangeStyle {
  readonly isLowBetter?: boolean
  /** In a table: only the number. */
  readonly isSmall?: boolean
}

/** A change, coloured only where it is more than normal variation; empty without one. */
export function delta(
  change: ViewChange | null,
  unit: ReportUnit,
  { isLowBetter = false, isSmall = false }: ChangeStyle = {},
): string {
  if (!change) return ''
  const { value, isSignificant } = change
  const text = shown(value, 'points')
  const isGood = value > 0 !== isLowBetter
  const kind = isSignificant && value !== 0 ? (isGood ? ' good' : ' bad') : ''
  if (isSmall) return `<span class="delta${kind}">${text}</span>`
  const arrow = value > 0 ? '\u25b2 ' : value < 0 ? '\u25bc ' : ''
  const points = unit === 'percent' ? ' pts' : ''
  return `<span class="chip${kind}">${value === 0 ? 'No change' : arrow + text + points}</span>`
}

const sparklineSize = { width: 240, height: 36 }

/** The small line of a number: by day as the mean of a week. */
function sparkline(
  label: string,
  unit: ReportUnit,
  { trend, isDaily }: { readonly trend: readonly ViewPoint[]; readonly isDaily: boolean },
): string {
  const values = isDaily
    ? rolling(trend.map(({ value, n }) => ({ value, denominator: n })))
    : trend.map(({ value }) => value)
  const drawn = sparklineOf(values, sparklineSize)
  if (!drawn) return ''
  const { width, height } = sparklineSize
  const text = `${label} from ${shown(drawn.first, unit)} to ${shown(drawn.last, unit)}`
  return `<svg class="sparkline" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${escaped(text)}"><path class="area" d="${drawn.area}"/><path class="line" d="${drawn.line}"/></svg>`
}

interface Figure {
  readonly label: string
  readonly unit: ReportUnit
  readonly number: ViewNumber & { readonly trend: readonly ViewPoint[] }
  /** In place of the value, such as a rank. */
  readonly value?: string
  readonly words: string
  readonly isLowBetter?: boolean
}

function figure(
  { label, unit, number, value, words, isLowBetter = false }: Figure,
  isDaily: boolean,
): string {
  const range = interval({ ...number, unit })
  return `<li><h2>${escaped(label)}</h2><p class="value"><strong>${escaped(value ?? shown(number.value, unit))}</strong>${delta(number.change, unit, { isLowBetter })}</p><p class="words">${escaped(words)}</p>${range ? `<p class="words">95% interval ${escaped(range)}</p>` : ''}${sparkline(label, unit, { trend: number.trend, isDaily })}</li>`
}

type Headline = ReportView['headline']

function shareWords({ value, rank, other }: NonNullable<Headline['share']>): string {
  const own = `${shown(value, 'percent')} of mentions`
  if (!other) return own
  const text = `${other.name} with ${shown(other.share, 'percent')}`
  return rank === 1 ? `${own} · ahead of ${text}` : `${own} · behind ${text}`
}

function toneWords({
  positive,
  neutral,
  negative,
  ratedBy,
}: NonNullable<Headline['sentiment']>): string {
  const all = positive + neutral + negative
  const part = (number: number) => `${Math.round((100 * number) / Math.max(1, all))}%`
  const counts = `${part(positive)} positive · ${part(neutral)} neutral · ${part(negative)} negative`
  return ratedBy === undefined ? counts : `${counts} · rated ${ratedBy}`
}

/** The largest numbers of a report, as cards. */
export function headlineOf({ headline, interval: step, ...view }: ReportView): string {
  const { visibility, share, sentiment, position } = headline
  const figures: readonly (Figure | false | undefined)[] = [
    visibility && {
      label: 'Visibility',
      unit: 'percent',
      number: visibility,
      words: `Mentioned in ${count(visibility.answers)} of ${counted(view.answers, 'answer')}`,
    },
    share && {
      label: 'Share of voice',
      unit: 'percent',
      number: share,
      ...(share.rank !== null && { value: `#${share.rank} of ${count(share.brands)}` }),
      words: shareWords(share),
    },
    sentiment && {
      label: 'Sentiment',
      unit: 'score',
      number: sentiment,
      words: toneWords(sentiment),
    },
    position && {
      label: 'Average position',
      unit: 'position',
      number: position,
      words: `In ${counted(position.n, 'answer')} that ${position.n === 1 ? 'mentions' : 'mention'} the brand`,
      isLowBetter: true,
    },
  ]
  const shownFigures = figures.flatMap((each) => (each ? [figure(each, step === 'day')] : []))
  return `<ul class="figures">${shownFigures.join('')}</ul>`
}
