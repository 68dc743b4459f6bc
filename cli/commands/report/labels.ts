import { platforms } from '../../../core/platforms.ts'
import { shown } from '../../../web/share/numbers.ts'
import { count } from '../../text.ts'

/** What people call a field of a report, by its key. Other keys are their own words: `averagePosition`. */
const labels: Readonly<Record<string, string>> = {
  adRate: 'answers with ads',
  answerCount: 'answers',
  answersSetAside: 'answers ignored',
  autoResolvedAt: 'resolved',
  avgCitations: 'citations per citing answer',
  avgCitationsPerResponse: 'citations per answer',
  avgDuration: 'average duration, s',
  avgQueriesPerResponse: 'searches per answer',
  botCategory: 'purpose',
  botName: 'AI crawler',
  botVendor: 'operator',
  brandCitations: 'citations of the brand',
  brandMentioned: 'mentions the brand',
  citationCount: 'citations',
  citationRate: 'cited in answers',
  citationType: 'domain type',
  citedIn: 'answers that cite it',
  contentType: 'page type',
  crawlToReferral: 'crawls per referral',
  ctr: 'click-through rate',
  domain: 'domain',
  frequency: 'answers that cite it',
  lostAnswerCount: 'answers that mention competitors only',
  mentionCount: 'mentions',
  mentionedIn: 'answers that mention it',
  mentionRate: 'share of answers with a mention',
  overallMentionRate: 'share of answers with a mention',
  overallVisibilityScore: 'visibility',
  ownAnswerCount: 'answers that mention the brand',
  pageCount: 'pages',
  periodGrowth: 'change of citations, %',
  promptsCount: 'prompts',
  promptCount: 'prompts',
  responseMentionRate: 'share of answers with a mention',
  responses: 'answers',
  responsesWithAds: 'answers with ads',
  responsesWithBrand: 'answers that mention the brand',
  responsesWithFanout: 'answers with searches',
  responsesWithMention: 'answers that mention it',
  responsesWithUrl: 'answers that cite it',
  retrievedIn: 'answers for which it was read',
  score: 'score',
  scoreChange: 'change of visibility',
  sentimentChange: 'change of sentiment',
  shareOfAds: 'share of ads',
  sov: 'share of voice',
  topicName: 'topic',
  totalActivationRate: 'answers with products',
  totalCount: 'total',
  totalQueries: 'searches',
  totalResponses: 'answers',
  totalResponsesWithMention: 'mentions of all brands, once an answer',
  totalSources: 'cited domains',
  firstPlaces: 'agree on first place',
  firstVisibility: 'visibility (first)',
  questionCount: 'questions',
  secondVisibility: 'visibility (second)',
  totalUrls: 'cited pages',
  totalUsed: 'answers that cite it',
  usage: 'cited in answers',
  visibilityRate: 'visibility',
  visibilityScore: 'visibility',
}

const percents = new Set([
  'adRate',
  'agreement',
  'bounceRate',
  'citationRate',
  'coverageRate',
  'ctr',
  'firstVisibility',
  'mentionRate',
  'overallMentionRate',
  'overallVisibilityScore',
  'responseMentionRate',
  'secondVisibility',
  'shareOfAds',
  'sov',
  'topCompetitorVisibility',
  'totalActivationRate',
  'usage',
  'visibility',
  'visibilityRate',
  'visibilityScore',
])
const points = new Set(['gap', 'scoreChange'])

const names = new Map(platforms.map(({ id, displayName }) => [id, displayName]))

/** A key as words, such as "average position". */
function wordsOf(key: string): string {
  const words = key.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace(/[-_]/g, ' ')
  return words
    .replace(/ At$/, '')
    .toLowerCase()
    .replace(/\burl(s?)\b/g, 'URL$1')
    .replace(/\bai\b/g, 'AI')
}

/** Keys that say nothing beside what they belong to: `brand.name` is the brand. */
const plain = new Set(['name', 'text', 'value', 'displayName'])

/**
 * What people call the field at a path.
 * @param depth how many of the keys above it belong to the label
 */
export function labelOf(path: string, depth = 0): string {
  const keys = path.split('.').filter((key) => key !== 'metrics' && key !== 'summary')
  const isPlain = keys.length > 1 && plain.has(keys.at(-1) ?? '')
  const shownKeys = (isPlain ? keys.slice(0, -1) : keys).slice(-1 - depth)
  return shownKeys.map((key) => labels[key] ?? wordsOf(key)).join(': ')
}

/** The labels of fields that are shown together: each has as much of its path as sets it apart. */
export function labelsOf(paths: readonly string[]): string[] {
  const label = (path: string, depth: number): string => {
    const own = labelOf(path, depth)
    const others = paths.filter((each) => each !== path && labelOf(each, depth) === own)
    return others.length > 0 && depth < path.split('.').length - 1 ? label(path, depth + 1) : own
  }
  return paths.map((path) => label(path, 0))
}

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const time = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A day such as 28 Nov 2026. */
export const dayOf = (text: string): string => date.format(new Date(text))

/** Longer texts are cut: the whole one is in `--json` and `--csv`. */
const longestText = 60

function textOf(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayOf(text)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return `${time.format(new Date(text))} UTC`
  // A word of the contract, such as `ai_search`.
  const isWord = /^[a-z]+(?:_[a-z]+)+$/.test(text)
  const words = isWord ? text.replaceAll('_', ' ').replace(/\bai\b/, 'AI') : text
  const line = names.get(text) ?? words.replace(/\s+/g, ' ')
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line
}

/** A value as people write it: a percentage, a day, the name of an AI platform. */
export function cellOf(key: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (percents.has(key)) return shown(value, 'percent')
    if (points.has(key)) return `${shown(value, 'points')} pts`
    return Number.isInteger(value) ? count(value) : String(value)
  }
  if (Array.isArray(value)) return textOf(value.map((each) => cellOf(key, each)).join(', '))
  return textOf(String(value))
}
