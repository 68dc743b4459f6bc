import type { EventData } from '../core/channels/events.ts'
import { daysText } from '../core/text/days.ts'
import { count, counted, interval, shown } from '../web/share/numbers.ts'
import type { ChangedFragment, DigestQuery, KnownFragment } from './documents.ts'

type Project = NonNullable<DigestQuery['project']>
type Unit = 'percent' | 'score'
type Fact = EventData['facts'][number]
type Section = NonNullable<EventData['sections']>[number]

/** What a digest says, ready for a channel. */
export interface DigestContent {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly sections: readonly Section[]
}

export interface DigestWeek {
  readonly from: string
  readonly to: string
}

/** Lines of one section. */
const mostLines = 5

const isReal = (change: ChangedFragment | null | undefined): boolean =>
  change?.isSignificant === true && change.change !== null && change.change !== 0

/** The change to the week before in words. */
function changeWords(change: ChangedFragment | null | undefined): string {
  if (change?.change == null) return 'no week before to compare with'
  const points = `${shown(change.change, 'points')} pts`
  return change.isSignificant === false ? `${points}, within normal variation` : points
}

function metricFact(
  label: string,
  { value, low, high }: KnownFragment,
  change: ChangedFragment | null | undefined,
  unit: Unit,
): Fact {
  const range = interval({ low, high, unit })
  const notes = [range && `95% confidence interval ${range}`, changeWords(change)]
  return {
    label,
    value: shown(value, unit),
    ...(value !== null && { note: notes.filter(Boolean).join('; ') }),
  }
}

const ownRank = (
  list: {
    readonly nodes: readonly { rank: number | null; brand: { isOwn: boolean } | null }[]
  } | null,
) => list?.nodes.find(({ brand }) => brand?.isOwn)?.rank ?? null

function rankFact({ brands, before }: Project): { fact: Fact; hasMoved: boolean } {
  const rank = ownRank(brands)
  const previous = ownRank(before)
  const hasMoved = rank !== null && previous !== null && rank !== previous
  const of = brands?.nodes.filter((each) => each.rank !== null).length ?? 0
  const note =
    previous === null ? undefined : hasMoved ? `#${previous} the week before` : 'unchanged'
  return {
    fact: {
      label: 'Rank',
      value: rank === null ? 'no rank' : `#${rank} of ${count(of)}`,
      ...(note !== undefined && { note }),
    },
    hasMoved,
  }
}

const promptLink = (projectId: string, id: string) => `/projects/${projectId}/prompts/${id}`

/** Prompts whose leader changed, by enough answers in both weeks. */
function promptsOf(
  projectId: string,
  heading: string,
  now: Project['lost'],
  earlier: Project['wonBefore'],
): Section[] {
  const known = new Set(
    (earlier?.nodes ?? []).flatMap(({ prompt, hasFewAnswers }) =>
      prompt && !hasFewAnswers ? [prompt.id] : [],
    ),
  )
  const turned = (now?.nodes ?? []).flatMap((row) =>
    row.prompt && !row.hasFewAnswers && known.has(row.prompt.id)
      ? [{ ...row, prompt: row.prompt }]
      : [],
  )
  const items = turned.slice(0, mostLines).map(({ prompt, leader, change }) => {
    const facts = [
      change?.change == null ? '' : `${shown(change.change, 'points')} pts`,
      leader ? `${leader.name} leads` : '',
    ].filter(Boolean)
    const text = facts.length > 0 ? `${prompt.text} (${facts.join(', ')})` : prompt.text
    return { text, link: promptLink(projectId, prompt.id) }
  })
  return items.length === 0 ? [] : [{ heading, items: withRest(items, turned.length) }]
}

function withRest<Item extends { text: string }>(items: Item[], all: number) {
  return all > items.length ? [...items, { text: `and ${count(all - items.length)} more` }] : items
}

/** Domains that answers cite this week, and none cited the week before. */
function newSources(projectId: string, { sourceDomains, visibility }: Project): Section[] {
  // Without answers of the week before, each source would be new.
  if (visibility?.summary.changes?.visibilityScore.change == null) return []
  const found = (sourceDomains?.nodes ?? []).filter(
    ({ changes }) => changes?.citedIn?.previous === 0,
  )
  const items = found.slice(0, mostLines).map(({ domain, citedIn }) => ({
    text: `${domain}, cited in ${counted(citedIn, 'answer')}`,
    link: `/projects/${projectId}/sources/${encodeURIComponent(domain)}`,
  }))
  return items.length === 0
    ? []
    : [{ heading: 'New sources', items: withRest(items, found.length) }]
}

function dataProblems(projectId: string, { promptsWithoutAnswers, schedules }: Project): Section[] {
  const link = `/projects/${projectId}/data-collection`
  const silent = promptsWithoutAnswers?.totalCount ?? 0
  const items = [
    ...(silent > 0 ? [{ text: `${counted(silent, 'prompt')} without an answer`, link }] : []),
    ...(schedules?.nodes ?? []).flatMap(({ name, fault }) =>
      fault ? [{ text: `The schedule “${name}” did not start: ${fault}`, link }] : [],
    ),
  ]
  return items.length === 0
    ? []
    : [{ heading: 'Wrong with the data', items: withRest(items.slice(0, mostLines), items.length) }]
}

function modelsOf({ modelChanges }: Project): Section[] {
  const items = (modelChanges?.nodes ?? []).map(({ platform, model, previousModel }) => ({
    text: `${platform.displayName} answers with ${model} instead of ${previousModel}`,
  }))
  return items.length === 0 ? [] : [{ heading: 'Models', items }]
}

const before = (now: number, previous: number | null | undefined) =>
  previous == null
    ? {}
    : {
        note: `${count(previous)} the week before, ${now >= previous ? '+' : '−'}${count(Math.abs(now - previous))}`,
      }

const dollars = (value: number) => `$${value.toFixed(2)}`

function traffic(project: Project): Section[] {
  const { crawlers, referrals } = project.trafficOverview ?? {}
  const visits = crawlers?.aiVisits ?? 0
  const visitsBefore = project.crawlersBefore?.crawlers.aiVisits ?? 0
  const sessions = referrals?.total ?? 0
  const facts = [
    ...(visits + visitsBefore > 0
      ? [{ label: 'AI crawler visits', value: count(visits), ...before(visits, visitsBefore) }]
      : []),
    ...(sessions > 0
      ? [
          {
            label: 'AI referral sessions',
            value: count(sessions),
            ...before(sessions, referrals?.change?.previous),
          },
        ]
      : []),
  ]
  return facts.length === 0 ? [] : [{ heading: 'AI traffic', facts }]
}

function site({ issues }: Project): Section[] {
  if (!issues || issues.summary.total === 0) return []
  const { total, bySeverity } = issues.summary
  const note = `${count(bySeverity.critical)} critical, ${count(bySeverity.high)} high`
  return [{ heading: 'Site audit', facts: [{ label: 'Open issues', value: count(total), note }] }]
}

function costFact({ collectingCost, spending }: Project): Fact[] {
  const cost = collectingCost?.cost ?? 0
  if (cost === 0 && spending.thisMonth === 0) return []
  const cap = spending.monthCap === null ? '' : ` of ${dollars(spending.monthCap)}`
  const note = `${dollars(spending.thisMonth)}${cap} this month`
  return [{ label: 'Cost', value: dollars(cost), note }]
}

/** The digest of a week: numbers with their intervals, and what changed and is no chance. Three lines where nothing did. */
export function digestContent(
  projectId: string,
  project: Project,
  { from, to }: DigestWeek,
): DigestContent {
  const summary = project.visibility?.summary
  const days = daysText(from, to)
  const answers = summary?.answerCount ?? 0
  const visibility = summary?.metrics.visibilityScore ?? { value: null, low: null, high: null }
  const visibilityChange = summary?.changes?.visibilityScore
  const share = project.shareOfVoice?.nodes.find(({ brand }) => brand.isOwn)
  const sentiment = project.sentiment?.summary
  const { fact: rank, hasMoved } = rankFact(project)
  const changed = [
    ...promptsOf(projectId, 'Prompts lost', project.lost, project.wonBefore),
    ...promptsOf(projectId, 'Prompts won', project.won, project.lostBefore),
    ...newSources(projectId, project),
    ...modelsOf(project),
    ...dataProblems(projectId, project),
  ]
  const hasChanged =
    changed.length > 0 ||
    hasMoved ||
    [visibilityChange, share?.change, sentiment?.changes?.score].some(isReal)
  const cost = costFact(project)
  if (!hasChanged) {
    const lines = [
      `Visibility is ${shown(visibility.value, 'percent')}, in ${counted(answers, 'answer')}.`,
      `Rank: ${rank.value}.`,
      cost[0] ? `Cost: ${cost[0].value}; ${cost[0].note}.` : 'Nothing was spent.',
    ]
    return {
      title: `${days}: nothing changed beyond normal variation`,
      facts: [],
      sections: [{ heading: 'This week', items: lines.map((text) => ({ text })) }],
    }
  }
  const facts = [
    metricFact('Visibility', visibility, visibilityChange, 'percent'),
    ...(share
      ? [metricFact('Share of voice', share.metrics.shareOfVoice, share.change, 'percent')]
      : []),
    rank,
    ...(sentiment
      ? [metricFact('Sentiment', sentiment.metrics.score, sentiment.changes?.score, 'score')]
      : []),
    { label: 'Answers', value: count(answers) },
    ...cost,
  ]
  const moved = isReal(visibilityChange)
    ? `visibility ${shown(visibility.value, 'percent')} (${shown(visibilityChange?.change ?? 0, 'points')} pts)`
    : hasMoved
      ? `rank ${rank.value}`
      : `visibility ${shown(visibility.value, 'percent')}`
  return {
    title: `${days}: ${moved}`,
    facts,
    sections: [...changed, ...traffic(project), ...site(project)],
  }
}
