import { attributions, listHeadings, promptLine, sourceLine } from '../core/alarms/kinds/words.ts'
import type { EventData } from '../core/channels/events.ts'
import { daysText } from '../core/text/days.ts'
import { type Rating, ratedBy } from '../core/text/rated-by.ts'
import { count, counted, interval, shown } from '../web/share/numbers.ts'
import type { DigestQuery, KnownFragment, MovedByFragment } from './documents.ts'

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

const isReal = (change: MovedByFragment | null | undefined): boolean =>
  change?.isSignificant === true && change.change !== null && change.change !== 0

/** The change to the week before in words. */
function changeWords(change: MovedByFragment | null | undefined): string {
  if (change?.change == null) return 'no week before to compare with'
  const points = `${shown(change.change, 'points')} pts`
  return change.isSignificant === false ? `${points}, within normal variation` : points
}

function metricFact(
  label: string,
  { value, low, high }: KnownFragment,
  change: MovedByFragment | null | undefined,
  unit: Unit,
  rating?: Rating,
): Fact {
  const range = interval({ low, high, unit })
  const notes = [
    changeWords(change),
    range && `95% confidence interval ${range}`,
    rating && `rated ${ratedBy(rating)}`,
  ]
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

type Changes = NonNullable<Project['recentChanges']>

/** Prompts that the two weeks up to now found, and those up to the week before did not. */
function promptsOf(
  projectId: string,
  heading: string,
  now: Changes['prompts']['lost'] = [],
  listed: Changes['prompts']['lost'] = [],
): Section[] {
  const known = new Set(listed.map(({ prompt }) => prompt?.id))
  const turned = now.flatMap((row) =>
    row.prompt && !known.has(row.prompt.id) ? [{ ...row, prompt: row.prompt }] : [],
  )
  return sectionOf(heading, turned, ({ prompt, ...row }) => ({
    text: promptLine(prompt.text, {
      before: row.mentionsBefore,
      ofBefore: row.answersBefore,
      now: row.mentionsAfter,
      ofNow: row.answersAfter,
    }),
    link: `/projects/${projectId}/prompts/${prompt.id}`,
  }))
}

/** The same of sources. */
function sourcesOf(
  projectId: string,
  heading: string,
  now: Changes['sources']['new'] = [],
  listed: Changes['sources']['new'] = [],
): Section[] {
  const known = new Set(listed.map(({ domain }) => domain))
  return sectionOf(
    heading,
    now.filter(({ domain }) => !known.has(domain)),
    ({ domain, citedInAfter, answersAfter, citedInBefore, answersBefore }) => ({
      text: sourceLine(domain, {
        before: citedInBefore,
        ofBefore: answersBefore,
        now: citedInAfter,
        ofNow: answersAfter,
      }),
      link: `/projects/${projectId}/sources/${encodeURIComponent(domain)}`,
    }),
  )
}

function sectionOf<Row>(
  heading: string,
  rows: readonly Row[],
  itemOf: (row: Row) => { text: string; link?: string },
): Section[] {
  const items = rows.slice(0, mostLines).map(itemOf)
  return items.length === 0 ? [] : [{ heading, items: withRest(items, rows.length) }]
}

function withRest<Item extends { text: string }>(items: Item[], all: number) {
  return all > items.length ? [...items, { text: `and ${count(all - items.length)} more` }] : items
}

type Alarm = NonNullable<Project['alarms']>['nodes'][number]

/** Kinds that have a section of their own. */
const apart: readonly Alarm['kind'][] = ['prompts_changed', 'sources_changed', 'data_degraded']

const isWithin = (day: string | null, { from, to }: DigestWeek) =>
  day !== null && day >= from && day <= to

/** Alarms that opened or closed in the week or proved to be somebody's, and how many are open since before. */
function alarmsOf(projectId: string, { alarms }: Project, week: DigestWeek) {
  const link = `/projects/${projectId}/alerts`
  const all = (alarms?.nodes ?? []).filter(({ kind }) => !apart.includes(kind))
  const opened = all.filter(({ openedOn }) => isWithin(openedOn, week))
  const closed = all.filter(
    ({ openedOn, closedOn }) => isWithin(closedOn, week) && !isWithin(openedOn, week),
  )
  const attributed = all.filter(
    ({ openedOn, attributedOn, isOpen }) =>
      isOpen && isWithin(attributedOn, week) && !isWithin(openedOn, week),
  )
  const withOwner = ({ text, attribution }: Alarm) =>
    attribution === null ? text : `${text} ${attributions[attribution]}`
  const said = [
    ...opened.map(withOwner),
    ...attributed.map((alarm) => `Known now: ${withOwner(alarm)}`),
    ...closed.map(({ text }) => `Over: ${text}`),
  ]
  const earlier = all.filter(({ isOpen, openedOn }) => isOpen && openedOn < week.from).length
  return { sections: sectionOf('Alerts', said, (text) => ({ text, link })), earlier }
}

function dataProblems(
  projectId: string,
  { promptsWithoutAnswers, alarms }: Project,
  week: DigestWeek,
): Section[] {
  const link = `/projects/${projectId}/data-collection`
  const silent = promptsWithoutAnswers?.totalCount ?? 0
  const data = (alarms?.nodes ?? []).filter(({ kind }) => kind === 'data_degraded')
  const lines = [
    ...(silent > 0 ? [`${counted(silent, 'prompt')} without an answer`] : []),
    ...data.filter(({ isOpen }) => isOpen).map(({ text }) => text),
    ...data.filter(({ closedOn }) => isWithin(closedOn, week)).map(({ text }) => `Over: ${text}`),
  ]
  return sectionOf('Problems with the data', lines, (text) => ({ text, link }))
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
  const alarms = alarmsOf(projectId, project, { from, to })
  const { prompts, sources } = project.recentChanges ?? {}
  const listed = project.changesBefore
  const changed = [
    ...alarms.sections,
    ...promptsOf(projectId, listHeadings.lost, prompts?.lost, listed?.prompts.lost),
    ...promptsOf(projectId, listHeadings.won, prompts?.won, listed?.prompts.won),
    ...sourcesOf(projectId, listHeadings.found, sources?.new, listed?.sources.new),
    ...sourcesOf(projectId, listHeadings.gone, sources?.gone, listed?.sources.gone),
    ...modelsOf(project),
    ...dataProblems(projectId, project, { from, to }),
  ]
  const earlier =
    alarms.earlier === 0
      ? []
      : [
          `${counted(alarms.earlier, 'alert')} of earlier weeks ${alarms.earlier === 1 ? 'is' : 'are'} open.`,
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
      ...earlier,
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
      ? [
          metricFact(
            'Sentiment',
            sentiment.metrics.score,
            sentiment.changes?.score,
            'score',
            sentiment,
          ),
        ]
      : []),
    { label: 'Answers', value: count(answers) },
    ...(alarms.earlier > 0
      ? [{ label: 'Open alerts of earlier weeks', value: count(alarms.earlier) }]
      : []),
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
