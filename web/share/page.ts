import { createHash } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { defaultAccent } from '../../core/reports/branding.ts'
import type {
  ReportContent,
  ReportMetric,
  ReportSection,
  ReportTrend,
} from '../../core/reports/content.ts'
import type { DateRange } from '../../core/window.ts'
import { chartsOf, type ReportChart, spoken } from './charts.ts'
import { escaped } from './escaped.ts'
import { methodFacts } from './method.ts'
import { count, dayText, interval, shown, stepText } from './numbers.ts'
import { styleOf } from './style.ts'
import { svgOf } from './svg.ts'
import { type Headline, headlinesOf, leadOf } from './words.ts'

/** A report for its page. */
export interface PageReport {
  readonly title: string
  readonly dateRange: DateRange
  readonly createdAt: Date
  readonly content: ReportContent
}

/** Whose name the page carries, in place of ours. */
export interface PageBranding {
  readonly name: string
  readonly accent: string
  readonly logo: Uint8Array | null
}

export interface Page {
  readonly html: string
  /** The hash of the page's style sheet, for its policy. */
  readonly styleHash: string
}

function document(title: string, accent: string, body: string): Page {
  const style = styleOf(accent)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`
  return { html, styleHash: createHash('sha256').update(style).digest('base64') }
}

function tile({ label, value, words, direction }: Headline): string {
  const [number = '', unit] = value.split(/ (?=points$)/)
  const small = unit ? ` <small>${escaped(unit)}</small>` : ''
  return `<li><h2>${escaped(label)}</h2><p class="big${direction ? ` ${direction}` : ''}">${escaped(number)}${small}</p><p class="words">${escaped(words)}</p></li>`
}

const nameColumns: Readonly<Record<string, string>> = {
  'Share of voice': 'Brand',
  'AI platforms': 'Platform',
  Topics: 'Topic',
  Sources: 'Domain',
  'Sentiment by brand': 'Brand',
}

const valueColumns: Readonly<Record<string, string>> = {
  'Share of voice': 'Share',
  'AI platforms': 'Visibility',
  Topics: 'Visibility',
  Sources: 'Citations',
  'Sentiment by brand': 'Score',
}

const baseColumns: Readonly<Record<string, string>> = {
  'Share of voice': 'Namings',
  'Sentiment by brand': 'Rated answers',
}

/** The table of a section. Columns that would be empty are left out. */
function table({ title, metrics }: ReportSection, own: ReadonlySet<string>): string {
  const hasRange = metrics.some((metric) => interval(metric) !== '')
  const bases = new Set(metrics.map(({ n }) => n))
  // One base for all rows stands above them.
  const [only] = bases.size === 1 && metrics.length > 1 ? bases : []
  const hasBase = only === undefined && metrics.some(({ n }) => n !== null)
  const noun = baseColumns[title] ?? 'Answers'
  const caption = `${title} in numbers${only ? `, of ${count(only)} ${noun.toLowerCase()}` : ''}`
  const range = (text: string) => (hasRange ? `<span class="range">${text}</span>` : '')
  const head = `<th scope="col">${nameColumns[title] ?? 'Measure'}</th><th scope="col">${valueColumns[title] ?? 'Value'}${range('95% interval')}</th>${
    hasBase ? `<th scope="col">${noun}</th>` : ''
  }`
  const row = (metric: ReportMetric) => {
    const { label, value, unit, n } = metric
    return `<tr${own.has(label) ? ' class="own"' : ''}><th scope="row">${escaped(label)}</th><td>${escaped(shown(value, unit))}${range(escaped(interval(metric)))}</td>${
      hasBase ? `<td class="n">${n === null ? '' : count(n)}</td>` : ''
    }</tr>`
  }
  return `<table><caption>${escaped(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${metrics.map(row).join('')}</tbody></table>`
}

const stepNames = { day: 'Day', week: 'Week', month: 'Month' }
const mostRowsAColumn = 10

/** The table of a trend, in columns of at most ten rows. */
function trendTables({ title, unit, step, points }: ReportTrend): string {
  const columns = Array.from({ length: Math.ceil(points.length / mostRowsAColumn) }, (_, i) =>
    points.slice(i * mostRowsAColumn, (i + 1) * mostRowsAColumn),
  )
  const value = unit === 'score' ? 'Score' : 'Visibility'
  const tables = columns.map(
    (some, i) =>
      `<table class="small"><caption>${escaped(title)}${columns.length > 1 ? ` (${i + 1} of ${columns.length})` : ''}</caption><thead><tr><th scope="col">${stepNames[step]}</th><th scope="col">${value}</th><th scope="col">Answers</th></tr></thead><tbody>${some
        .map(
          (point) =>
            `<tr><th scope="row">${escaped(stepText(point, step))}</th><td>${point.n === 0 ? '\u2013' : escaped(shown(point.value, unit))}</td><td class="n">${count(point.n)}</td></tr>`,
        )
        .join('')}</tbody></table>`,
  )
  return `<div class="steps">${tables.join('')}</div>`
}

function figure(chart: ReportChart, id: string, own: ReadonlySet<string>): string {
  const label = `${chart.title}. ${spoken(chart)}`
  const drawn = (['wide', 'narrow'] as const)
    .map((width) => svgOf(chart, width, { id: `${id}-${width}`, label, own }))
    .join('')
  return `<figure><figcaption>${escaped(chart.title)}</figcaption>${drawn}</figure>`
}

async function sectionOf(
  content: ReportContent,
  section: ReportSection,
  index: number,
): Promise<string> {
  const own = new Set([content.brand.name, content.brand.domain])
  const lead = leadOf(content, section.title)
  const charts = chartsOf(content).filter((chart) => chart.section === section.title)
  const trend = content.trends.find((each) => each.section === section.title)
  let figures = ''
  for (const [i, chart] of charts.entries()) {
    // A drawing takes long: other requests have their turn between two.
    await letOthersRun()
    figures += figure(chart, `c${index}-${i}`, own)
  }
  const isEmpty = section.metrics.every(({ value }) => value === null || value === 0)
  const body =
    section.metrics.length === 0
      ? '<p class="empty">No answers in this window.</p>'
      : `${isEmpty ? '<p class="empty">No answers in this window.</p>' : ''}<div class="pair${figures ? ' both' : ''}">${
          figures ? `<div>${figures}</div>` : ''
        }<div>${table(section, own)}</div></div>${trend && charts.some(({ kind }) => kind === 'line') ? trendTables(trend) : ''}`
  return `<section aria-labelledby="s${index}"><h2 id="s${index}">${escaped(section.title)}</h2>${
    lead ? `<p class="lead">${escaped(lead)}</p>` : ''
  }${body}</section>`
}

const meanings: Readonly<Record<string, readonly [string, string]>> = {
  Visibility: ['Visibility', 'Percent of answers that name the brand. Each answer counts once.'],
  'Share of voice': [
    'Share of voice',
    'Answers that name the brand, divided by the sum of the answers that name each tracked brand.',
  ],
  Sentiment: [
    'Sentiment score',
    '0 when all rated answers are negative, 50 neutral, 100 positive. Rated answers name the brand and have a tone.',
  ],
  Sources: ['Citations', 'One for each page that an answer cites as its source.'],
}

const certaintyMeaning = [
  '95% interval',
  'The range that other answers to the same questions would give, 95 times in 100. The fewer the answers, the wider the range.',
] as const

function howToRead({ sections }: ReportContent): string {
  const found = sections.flatMap(({ title }) => {
    const meaning = meanings[title]
    return meaning ? [meaning] : []
  })
  const items = [...found, certaintyMeaning].map(
    ([term, text]) => `<div><dt>${escaped(term)}</dt><dd>${escaped(text)}</dd></div>`,
  )
  return `<section class="how"><h2>How to read this report</h2><dl>${items.join('')}</dl></section>`
}

/** The six facts of how the answers were collected, and what is missing. */
function howCollected({ method }: ReportContent): string {
  if (!method) return ''
  const facts = methodFacts(method).map(
    ([term, text]) => `<div><dt>${escaped(term)}</dt><dd>${escaped(text)}</dd></div>`,
  )
  const gaps = method.missing.map(({ reason }) => `<li>${escaped(reason)}</li>`)
  const missing =
    gaps.length === 0
      ? '<p>Nothing is missing to be decision grade.</p>'
      : `<h3>Missing to be decision grade</h3><ul>${gaps.join('')}</ul>`
  return `<section class="how"><h2>How the answers were collected</h2><dl>${facts.join('')}</dl>${missing}</section>`
}

/** The page of a shared report: one file without scripts, and nothing to load. */
export async function reportPage(report: PageReport, branding: PageBranding | null): Promise<Page> {
  const { title, dateRange, createdAt, content } = report
  const sender = branding?.name ?? 'Sightline'
  const logo =
    branding?.logo &&
    `<img src="data:image/png;base64,${Buffer.from(branding.logo).toString('base64')}" alt="">`
  const sections: string[] = []
  for (const [i, section] of content.sections.entries()) {
    sections.push(await sectionOf(content, section, i))
  }
  const tiles = headlinesOf(content, dateRange).map(tile)
  const body = `<header>
<p class="by">${logo ?? ''}<span>${escaped(branding ? branding.name : `${content.brand.name}, ${content.brand.domain}`)}</span></p>
<h1>${escaped(title).replaceAll(/\d{4}-\d\d-\d\d/g, '<span class="day">$&</span>')}</h1>
<p class="when">Answers of AI assistants from <strong>${dayText(dateRange.from)}</strong> to <strong>${dayText(dateRange.to)}</strong></p>
${content.note ? `<p class="note">${escaped(content.note)}</p>` : ''}
</header>
<main>
<ul class="tiles">${tiles.join('')}</ul>
${sections.join('\n')}
${howToRead(content)}
${howCollected(content)}
</main>
<footer><p>Made with data up to ${dayText(createdAt)}. Later data changes no number of this report. ${branding ? `Sent by ${escaped(sender)}.` : 'Made with Sightline.'}</p></footer>`
  return document(`${title} \u2013 ${sender}`, branding?.accent ?? defaultAccent, body)
}

/** What every link shows that opens no report, whatever the reason. */
export const missingPage: Page = document(
  'Report not found',
  defaultAccent,
  `<main class="lost"><div><h1>There is no report at this address</h1>
<p>The link may be mistyped, or the report is no longer shared. Ask its sender for a new link.</p></div></main>`,
)
