import type { ReportContent, ReportMetric } from '../../core/reports/content.ts'
import { counted } from '../../core/text/counted.ts'
import { type DateRange, lengthOf } from '../../core/window.ts'
import { interval, noAnswers, ordinal, shown } from './numbers.ts'

/** One of the large numbers at the top of a report, and its meaning in words. */
export interface Headline {
  readonly label: string
  readonly value: string
  readonly words: string
  /** Whether a number is better or worse than before; null where neither can be said. */
  readonly direction: 'up' | 'down' | null
}

/** The numbers of a report by section and label. */
function finder({ sections }: ReportContent) {
  const metricsOf = (title: string) => sections.find((each) => each.title === title)?.metrics ?? []
  return {
    metricsOf,
    find: (title: string, label: string) =>
      metricsOf(title).find((metric) => metric.label === label),
  }
}

type Finder = ReturnType<typeof finder>

/** "The 95% interval is 23.7% to 76.3%." */
function certainty(metric: ReportMetric): string {
  const text = interval(metric)
  return text === '' ? '' : ` The 95% interval is ${text}.`
}

function rankOf(metrics: readonly ReportMetric[], own: string): string {
  const ranked = metrics.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1))
  const place = ranked.findIndex(({ label }) => label === own) + 1
  return `${ordinal(place)} of ${counted(metrics.length, 'brand')}`
}

function visibilityOf({ find }: Finder, brand: string): Headline | null {
  const score = find('Visibility', 'Visibility score')
  if (!score) return null
  const named = find('Visibility', `Answers that name ${brand}`)?.value ?? 0
  const all = counted(score.n ?? 0, 'answer')
  const words =
    score.value === null
      ? 'No answers were collected in this window.'
      : `${named.toLocaleString('en')} of ${all} ${score.n === 1 ? 'names' : 'name'} ${brand}.${certainty(score)}`
  return { label: 'Visibility', value: shown(score.value, score.unit), words, direction: null }
}

function changeOf({ find }: Finder, range: DateRange): Headline | null {
  const change = find('Visibility', 'Change since the period before')
  if (!change) return null
  const before = `the ${counted(lengthOf(range), 'day')} before`
  const { value } = change
  if (value === null) {
    const words = `There is nothing to compare with: ${before} or this window has no answers.`
    return { label: 'Change', value: noAnswers, words, direction: null }
  }
  const than = value > 0 ? 'More' : 'Less'
  return {
    label: 'Change',
    value: `${shown(value, 'points')} points`,
    words: value === 0 ? `As visible as in ${before}.` : `${than} visible than in ${before}.`,
    direction: value === 0 ? null : value > 0 ? 'up' : 'down',
  }
}

function voiceOf({ metricsOf }: Finder, brand: string): Headline | null {
  const rows = metricsOf('Share of voice')
  const [own] = rows
  if (!own) return null
  const words =
    own.value === null
      ? 'No answer names a tracked brand.'
      : `${rankOf(rows, brand)} by ${counted(own.n ?? 0, 'naming')} of tracked brands.${certainty(own)}`
  return { label: 'Share of voice', value: shown(own.value, own.unit), words, direction: null }
}

function positionOf({ find }: Finder, brand: string): Headline | null {
  const position = find('Visibility', 'Average position')
  if (!position) return null
  const words =
    position.value === null
      ? `No answer names ${brand}.`
      : `Mean place among the tracked brands in ${counted(position.n ?? 0, 'answer')}; 1 is first.`
  return {
    label: 'Average position',
    words,
    direction: null,
    value: shown(position.value, 'position'),
  }
}

function toneOf({ find }: Finder): Headline | null {
  const score = find('Sentiment', 'Score')
  if (!score) return null
  const part = (label: string) => find('Sentiment', label)?.value ?? 0
  const tones = ['Positive', 'Neutral', 'Negative'].map(
    (label) => `${part(label).toLocaleString('en')} ${label.toLowerCase()}`,
  )
  const words =
    score.value === null
      ? 'No answer about the brand has a tone.'
      : `Of 100, from ${counted(score.n ?? 0, 'rated answer')}: ${tones.join(', ')}.`
  return { label: 'Sentiment', value: shown(score.value, 'score'), words, direction: null }
}

function netOf({ find }: Finder): Headline | null {
  const net = find('Sentiment', 'Net sentiment')
  if (!net) return null
  const value = net.value === null ? noAnswers : `${shown(net.value, 'points')} points`
  const words = 'Percent of positive answers minus percent of negative answers.'
  return { label: 'Net sentiment', value, words, direction: null }
}

function toneRankOf({ metricsOf }: Finder, brand: string): Headline | null {
  const rated = metricsOf('Sentiment by brand').filter(({ value }) => value !== null)
  if (rated.length < 2 || !rated.some(({ label }) => label === brand)) return null
  const [rank = ''] = rankOf(rated, brand).split(' of ')
  const words = `Place by sentiment score among ${counted(rated.length, 'brand')} with rated answers.`
  return { label: 'Sentiment rank', value: rank, words, direction: null }
}

/** The largest numbers of a report, at most four. */
export function headlinesOf(content: ReportContent, range: DateRange): Headline[] {
  const found = finder(content)
  const brand = content.brand.name
  const wanted = [
    visibilityOf(found, brand),
    changeOf(found, range),
    voiceOf(found, brand),
    found.find('Sentiment', 'Score') ? null : positionOf(found, brand),
    toneOf(found),
    ...(found.find('Visibility', 'Visibility score')
      ? []
      : [netOf(found), toneRankOf(found, brand)]),
  ]
  return wanted.filter((each) => each !== null)
}

function extremes(metrics: readonly ReportMetric[]) {
  const known = metrics.filter(({ value }) => value !== null)
  const sorted = known.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))
  const [best, worst] = [sorted[0], sorted.at(-1)]
  return best && worst && best !== worst ? { best, worst } : null
}

/** One sentence on what a section shows; empty where its numbers say it all. */
export function leadOf(content: ReportContent, title: string): string {
  const brand = content.brand.name
  const { metricsOf } = finder(content)
  const metrics = metricsOf(title)
  const text = ({ label, value, unit }: ReportMetric) => `${label} (${shown(value, unit)})`
  const ends = extremes(metrics)
  const [first] = metrics
  if (title === 'Share of voice' && first?.value != null && metrics.length > 1) {
    const leader = ends?.best ?? first
    const leads = leader.label === brand ? `${brand} leads` : `${text(leader)} leads; ${brand} is`
    return leader.label === brand
      ? `${leads} the tracked brands with ${shown(first.value, 'percent')} of all namings.`
      : `${leads} ${rankOf(metrics, brand)} with ${shown(first.value, 'percent')}.`
  }
  if (title === 'AI platforms' && ends) {
    return `${text(ends.best)} names ${brand} most often, ${text(ends.worst)} least often.`
  }
  if (title === 'Topics' && ends) {
    return `${brand} is most visible in ${text(ends.best)}, least in ${text(ends.worst)}.`
  }
  if (title === 'Sources' && first) {
    return `Assistants cite ${first.label} most: ${counted(first.value ?? 0, 'citation')}.`
  }
  return ''
}
