import { createHash } from 'node:crypto'
import { escaped } from '../../core/escaped.ts'
import { platformNames } from '../../core/platforms.ts'
import { defaultAccent } from '../../core/reports/branding.ts'
import type { ReportContent } from '../../core/reports/content.ts'
import type { ReportView } from '../../core/reports/view.ts'
import { type DateRange, lengthOf } from '../../core/window.ts'
import { earlierView } from './earlier.ts'
import { headlineOf } from './headline.ts'
import { details } from './html.ts'
import { type Entry, limitsOf, meaningsOf, methodEntries } from './method.ts'
import { counted, daysText, dayText } from './numbers.ts'
import { partsOf } from './parts.ts'
import { printScript } from './print.ts'
import { styleOf } from './style.ts'

interface Image {
  readonly contentType: string
  readonly image: Uint8Array
}

/** A report for its page. */
export interface PageReport {
  readonly title: string
  readonly dateRange: DateRange
  readonly createdAt: Date
  readonly content: ReportContent
  /** The logo of the brand. */
  readonly logo: Image | null
  /** The file that proves the visibility; null for none. */
  readonly proof?: { readonly href: string; readonly withTexts: boolean } | null
}

/** Whose name the page carries, in place of ours. */
export interface PageBranding {
  readonly name: string
  readonly accent: string
  readonly logo: Uint8Array | null
}

export interface Page {
  readonly html: string
  /** The hashes of the page's style sheet and script, for its policy. */
  readonly styleHash: string
  readonly scriptHash: string
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

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
<script>${printScript}</script>
</body>
</html>
`
  return { html, styleHash: hashOf(style), scriptHash: hashOf(printScript) }
}

function imageTag({ contentType, image }: Image, alt: string): string {
  return `<img src="data:${contentType};base64,${Buffer.from(image).toString('base64')}" alt="${escaped(alt)}">`
}

/** "1,124 answers of ChatGPT and Gemini. Changes are to the 30 days before." */
function scopeText({ content, dateRange }: PageReport, view: ReportView): string {
  const platforms = content.method?.platforms ?? []
  const names = platforms.map(({ platform }) => platformNames.get(platform) ?? platform)
  const joined = new Intl.ListFormat('en').format(names)
  const of = names.length === 0 ? '' : ` of ${joined}`
  return `${counted(view.answers, 'answer')}${of}. Changes are to the ${counted(lengthOf(dateRange), 'day')} before.`
}

const entries = (all: readonly Entry[]) =>
  all
    .map(([term, text]) => `<div><dt>${escaped(term)}</dt><dd>${escaped(text)}</dd></div>`)
    .join('')

/** How the answers were collected, what the numbers mean, and what limits them. */
function aboutOf({ method }: ReportContent, view: ReportView): string {
  const limits = method ? limitsOf(method) : []
  const facts = [
    ...(method ? methodEntries(method) : []),
    ...(limits.length > 0 ? [['Limits', limits.join(' ')] as const] : []),
  ]
  const meanings = details('What the numbers mean', `<dl>${entries(meaningsOf(view))}</dl>`)
  return `<section class="about"><h2>About these numbers</h2>${facts.length > 0 ? `<dl>${entries(facts)}</dl>` : ''}${meanings}</section>`
}

/** The sentence on the file that anyone counts again. */
function proofOf({ proof }: PageReport, { headline, answers }: ReportView): string {
  if (!proof || !headline.visibility) return ''
  const has = proof.withTexts ? 'each answer' : 'the hash of each answer'
  return `<section class="about"><h2>Check these numbers</h2><p>Anyone can count visibility, share of voice and average position of the ${counted(answers, 'answer')} again, without this service: <a href="${escaped(proof.href)}" download="sightline-proof.json">download the proof</a>, a signed file with ${has}, and run <code>npx sightline verify sightline-proof.json</code>.</p></section>`
}

/** The page of a report: one file, and nothing to load. */
export async function reportPage(report: PageReport, branding: PageBranding | null): Promise<Page> {
  const { title, dateRange, createdAt, content, logo } = report
  const { brand } = content
  const view = content.view ?? earlierView(content)
  const sender = branding?.name ?? 'Sightline'
  const senderLogo =
    branding?.logo && imageTag({ contentType: 'image/png', image: branding.logo }, '')
  const facts = { brand: brand.name, range: dateRange }
  const hasAnswers = view.answers > 0
  const body = `<header>
<div class="by"><p class="brand">${logo ? imageTag(logo, '') : ''}<span>${escaped(brand.name)} <small>${escaped(brand.domain)}</small></span></p>${branding ? `<p class="sender">${senderLogo ?? ''}<span>${escaped(branding.name)}</span></p>` : ''}<button type="button" class="print" hidden>Print or save as PDF</button></div>
<h1>${escaped(title)}</h1>
<p class="when"><strong>${daysText(dateRange.from, dateRange.to)}</strong> ${hasAnswers ? escaped(scopeText(report, view)) : ''}</p>
${content.note ? `<p class="note">${escaped(content.note)}</p>` : ''}
</header>
<main>
${hasAnswers ? headlineOf(view) + (await partsOf(view, facts)) + aboutOf(content, view) + proofOf(report, view) : '<section><p class="none">No answers were collected on these days.</p></section>'}
</main>
<footer><p>Numbers as of ${dayText(createdAt)}; later data changes none of them. ${branding ? `Sent by ${escaped(sender)}.` : 'Made with Sightline.'}</p></footer>`
  return document(`${title} \u2013 ${sender}`, branding?.accent ?? defaultAccent, body)
}

/** What every link shows that opens no report, whatever the reason. */
export const missingPage: Page = document(
  'Report not found',
  defaultAccent,
  `<main class="alone"><div><h1>There is no report at this address</h1>
<p>The link may be mistyped, or the report is no longer shared. Ask its sender for a new link.</p></div></main>`,
)

/** What a link with a password shows first. Its form is sent to the address of the page. */
export function passwordPage(problem = ''): Page {
  const error = problem
    ? `<p class="problem" id="problem" role="alert">${escaped(problem)}</p>`
    : ''
  return document(
    'Password',
    defaultAccent,
    `<main class="alone"><form method="post"><h1>This report has a password</h1>
<p>Enter the password that its sender gave you.</p>${error}
<label for="password">Password</label>
<input id="password" name="password" type="password" required autofocus autocomplete="current-password"${problem ? ' aria-describedby="problem" aria-invalid="true"' : ''}>
<button type="submit">Open the report</button></form></main>`,
  )
}
