import { setImmediate as letOthersRun } from 'node:timers/promises'
import { bucketed } from '../../core/buckets.ts'
import { escaped } from '../../core/escaped.ts'
import type { ReportView, ViewBrand, ViewPoint, ViewPrompt } from '../../core/reports/view.ts'
import { rolling } from '../../core/rolling.ts'
import type { DateRange } from '../../core/window.ts'
import type { LineChart } from './chart-option.ts'
import { delta } from './headline.ts'
import { type Column, card, details, list, table } from './html.ts'
import { mostLines } from './look.ts'
import { count, counted, shown, stepText } from './numbers.ts'
import { lineVariable } from './paints.ts'
import { shadeOf } from './shades.ts'
import { svgOf } from './svg.ts'
import { sourceTypes } from './terms.ts'

/** What parts need beside the view. */
export interface Facts {
  readonly brand: string
  readonly range: DateRange
}

type Trend = NonNullable<ReportView['trend']>

/** The own brand, and the largest others. */
const drawnBrands = ({ brands }: Trend) =>
  [...brands.filter(({ isOwn }) => isOwn), ...brands.filter(({ isOwn }) => !isOwn)].slice(
    0,
    mostLines,
  )

const ratioOf = (points: readonly ViewPoint[]): number | null => {
  const n = points.reduce((sum, point) => sum + point.n, 0)
  const total = points.reduce((sum, { value, n: base }) => sum + (value ?? 0) * base, 0)
  return n === 0 ? null : total / n
}

interface Week {
  readonly label: string
  readonly n: number
  readonly values: readonly (number | null)[]
}

/** The numbers of a trend by week, which are few enough to read. */
function weeksOf({ steps, interval }: ReportView, trend: Trend, range: DateRange): Week[] {
  const brands = drawnBrands(trend)
  const dated = steps.map(({ from }, at) => ({ date: from, at }))
  const rows =
    interval === 'day'
      ? bucketed(range, 'week', dated).map(({ bucket, days }) => ({ ...bucket, days }))
      : steps.map((step, at) => ({ ...step, days: [{ at }] }))
  return rows
    .filter(({ days }) => days.length > 0)
    .map(({ from, to, days }) => {
      const pointsOf = (points: readonly ViewPoint[]) => days.flatMap(({ at }) => points[at] ?? [])
      return {
        label: stepText({ from, to }, interval === 'month' ? 'month' : 'week'),
        n: pointsOf(brands[0]?.points ?? []).reduce((sum, { n }) => sum + n, 0),
        values: brands.map(({ points }) => ratioOf(pointsOf(points))),
      }
    })
}

function trendCard(view: ReportView, { range }: Facts): string {
  const { trend, interval, steps } = view
  if (!trend) return ''
  const brands = drawnBrands(trend)
  const unit = trend.metric === 'visibility' ? 'percent' : 'score'
  const chart: LineChart = {
    title: trend.metric === 'visibility' ? 'Visibility over time' : 'Sentiment over time',
    unit,
    labels: steps.map((step) => stepText({ from: step.from, to: step.from }, interval)),
    series: brands.map(({ name, points }, colour) => ({
      name,
      colour,
      values:
        interval === 'day'
          ? rolling(points.map(({ value, n }) => ({ value, denominator: n })))
          : points.map(({ value }) => value),
    })),
  }
  const spoken = chart.series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    return `${name} from ${shown(known[0] ?? null, unit)} to ${shown(known.at(-1) ?? null, unit)}`
  })
  const label = `${chart.title}. ${spoken.join(', ')}.`
  const drawn = (['wide', 'narrow'] as const).map((width) =>
    svgOf(chart, width, { id: `trend-${width}`, label }),
  )
  const key = (at: number) =>
    `<svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${lineVariable(at)}"/></svg>`
  const legend = brands.map(({ name }, at) => `<li>${key(at)}${escaped(name)}</li>`)
  const columns: Column<Week>[] = [
    {
      name: interval === 'month' ? 'Month' : 'Week',
      cell: ({ label: text }) => `<span class="nowrap">${escaped(text)}</span>`,
    },
    ...brands.map(({ name }, at) => ({
      name,
      kind: at > 1 ? 'num minor' : 'num',
      cell: ({ values }: Week) => (values[at] == null ? '\u2013' : shown(values[at], unit)),
    })),
    {
      name: unit === 'score' ? 'Rated answers' : 'Answers',
      kind: 'num',
      cell: ({ n }) => count(n),
    },
  ]
  const numbers = table({ caption: chart.title, columns, rows: weeksOf(view, trend, range) })
  const by = { day: '7-day average', week: 'by week', month: 'by month' }[interval]
  const what =
    trend.metric === 'visibility'
      ? 'Percent of answers that mention each brand'
      : 'Sentiment score, 0 to 100'
  return card(
    chart.title,
    `<figure>${drawn.join('')}${brands.length > 1 ? `<ul class="legend">${legend.join('')}</ul>` : ''}</figure>${details('Show the numbers', numbers)}`,
    { lead: `${what}, ${by}` },
  )
}

function brandsCard({ brands }: ReportView): string {
  if (!brands || brands.length === 0) return ''
  const has = (read: (row: ViewBrand) => number | null) => brands.some((row) => read(row) !== null)
  const hasShares = has(({ share }) => share)
  const number = (value: number | null, unit: 'percent' | 'position' | 'score') =>
    value === null ? '\u2013' : shown(value, unit)
  const columns: (Column<ViewBrand> | false)[] = [
    {
      name: 'Brand',
      cell: ({ rank, name }) =>
        `<span class="rank">${rank === null ? '' : count(rank)}</span>${escaped(name)}`,
    },
    hasShares && {
      name: 'Visibility',
      kind: 'num',
      cell: ({ visibility }) => number(visibility, 'percent'),
    },
    hasShares && {
      name: 'Share of voice',
      kind: 'num',
      cell: ({ share, shareChange }) =>
        `${number(share, 'percent')}${delta(shareChange, 'percent', { isSmall: true })}`,
    },
    has(({ position }) => position) && {
      name: 'Average position',
      kind: 'num minor',
      cell: ({ position }) => number(position, 'position'),
    },
    has(({ sentiment }) => sentiment) && {
      name: 'Sentiment',
      kind: hasShares ? 'num minor' : 'num',
      cell: ({ sentiment }) => number(sentiment, 'score'),
    },
    { name: 'Answers', kind: 'num minor', cell: ({ answers }) => count(answers) },
    { name: 'Mentions', kind: 'num minor', cell: ({ mentions }) => count(mentions) },
  ]
  return card(
    'Brands',
    table({
      caption: 'Brands',
      columns: columns.filter((each) => each !== false),
      rows: brands,
      isOwn: ({ isOwn }) => isOwn,
    }),
    { lead: 'By share of voice, with its change since the previous period' },
  )
}

function platformsCard({ platforms }: ReportView): string {
  if (!platforms) return ''
  const { names, brands } = platforms
  const most = names.map((_, at) => Math.max(...brands.map(({ values }) => values[at] ?? 0)))
  type Row = (typeof brands)[number]
  const columns: Column<Row>[] = [
    { name: 'Brand', cell: ({ name }) => escaped(name) },
    ...names.map((name, at) => ({
      name,
      kind: 'cell',
      cell: ({ values }: Row) => {
        const value = values[at]
        if (value == null) return '\u2013'
        const leads = value > 0 && value === most[at] ? ' leads' : ''
        return `<span class="s${shadeOf(value)}${leads}">${Math.round(value)}%</span>`
      },
    })),
  ]
  return card(
    'Who leads where',
    table({
      caption: 'Visibility by brand and AI platform',
      columns,
      rows: brands,
      isOwn: ({ isOwn }) => isOwn,
      kind: 'matrix',
    }),
    { lead: 'Visibility by AI platform. The leader of each is outlined.' },
  )
}

/** Of topics and domains, before "Show all". */
const mostShown = 7

/** A bar from 0 to 100 percent. */
const bar = (value: number) =>
  `<svg class="bar" aria-hidden="true"><rect width="100%" height="100%" class="ground"/><rect width="${value}%" height="100%"/></svg>`

function topicsCard({ topics }: ReportView, { brand }: Facts): string {
  const rows = topics?.filter(({ value }) => value !== null) ?? []
  if (rows.length === 0) return ''
  const entries = rows.map(
    ({ name, value, n }) =>
      `<span class="name">${escaped(name)}</span>${bar(value ?? 0)}<span class="num">${shown(value, 'percent')}</span><span class="minor num">${counted(n, 'answer')}</span>`,
  )
  return card('Topics', list('bars', entries, { most: mostShown }), {
    lead: `Answers that mention ${brand}, by topic`,
  })
}

const mostShownPrompts = 4

function promptList(prompts: readonly ViewPrompt[], brand: string): string {
  const entries = prompts.map(({ text, rival, rivalVisibility, visibility, answers }) => {
    const other = rival ? `${escaped(rival)} ${shown(rivalVisibility, 'percent')} · ` : ''
    return `${escaped(text)}<small>${other}${escaped(brand)} ${shown(visibility, 'percent')} · ${counted(answers, 'answer')}</small>`
  })
  return list('prompts', entries, { most: mostShownPrompts })
}

function promptsCards({ prompts }: ReportView, { brand }: Facts): string[] {
  if (!prompts) return []
  const { won, lost, even, mostLost, mostWon } = prompts
  const of = `of ${counted(won + lost + even, 'prompt')} with answers`
  return [
    mostLost.length > 0
      ? card('Prompts where a competitor leads', promptList(mostLost, brand), {
          lead: `${count(lost)} ${of}, the largest lead first`,
        })
      : '',
    mostWon.length > 0
      ? card(`Prompts where ${brand} leads`, promptList(mostWon, brand), {
          lead: `${count(won)} ${of}, the largest lead first`,
        })
      : '',
  ]
}

function sourcesCards({ sources }: ReportView, { brand }: Facts): string[] {
  if (!sources) return []
  const { cited, toWin } = sources
  type Cited = (typeof cited)[number]
  const typeOf = ({ isOwn, type }: Pick<Cited, 'isOwn' | 'type'>) =>
    isOwn ? 'Own site' : type ? sourceTypes[type] : ''
  const columns: (Column<Cited> | false)[] = [
    { name: 'Domain', cell: ({ domain }) => escaped(domain) },
    cited.some(({ type }) => type !== null) && {
      name: 'Type',
      kind: 'minor',
      cell: (row) => typeOf(row),
    },
    { name: 'Citations', kind: 'num', cell: ({ citations }) => count(citations) },
    cited.some(({ usage }) => usage !== null) && {
      name: 'Cited in',
      kind: 'num',
      cell: ({ usage }) => shown(usage, 'percent'),
    },
  ]
  const won = toWin.map(
    ({ domain, type, answers }) =>
      `<span class="name">${escaped(domain)} <small>${sourceTypes[type]}</small></span><span class="num">${counted(answers, 'answer')}</span>`,
  )
  return [
    card(
      'Sources',
      table({
        caption: 'Most cited domains',
        columns: columns.filter((each) => each !== false),
        rows: cited,
        most: mostShown,
        isOwn: ({ isOwn }) => isOwn,
      }),
      { lead: 'The domains that answers cite most, and the share of answers that cite them' },
    ),
    won.length > 0
      ? card('Sources to win', list('pairs', won), {
          lead: `Cited in answers that mention competitors and not ${brand}`,
        })
      : '',
  ]
}

const layouts = ['', '', ' two', ' three']

/** Cards side by side; one alone has the whole width. */
function row(cards: readonly string[], kind: string): string {
  const shownCards = cards.filter(Boolean)
  if (shownCards.length === 0) return ''
  const layout =
    shownCards.length === cards.length && kind ? ` ${kind}` : layouts[shownCards.length]
  return `<div class="row${layout}">${shownCards.join('')}</div>`
}

interface Row {
  /** Its layout where it is whole. */
  readonly kind?: string
  cardsOf(view: ReportView, facts: Facts): readonly string[]
}

const rows: readonly Row[] = [
  { cardsOf: (view, facts) => [trendCard(view, facts)] },
  { kind: 'standing', cardsOf: (view) => [brandsCard(view), platformsCard(view)] },
  { cardsOf: promptsCards },
  { cardsOf: (view, facts) => [topicsCard(view, facts), ...sourcesCards(view, facts)] },
]

/** All cards below the headline numbers. Drawing takes long: other requests have their turn between two. */
export async function partsOf(view: ReportView, facts: Facts): Promise<string> {
  let html = ''
  for (const { cardsOf, kind = '' } of rows) {
    await letOthersRun()
    html += row(cardsOf(view, facts), kind)
  }
  return html
}
