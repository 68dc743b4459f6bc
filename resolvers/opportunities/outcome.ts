import { Temporal } from '@js-temporal/polyfill'
import { pairedInterval } from '../../core/intervals/paired.ts'
import { newcombe, type Ratio, share } from '../../core/metrics.ts'
import { type Outcome, type OutcomeMetric, outcomeText } from '../../core/opportunities/outcome.ts'
import type { RuleId } from '../../core/opportunities/rules.ts'
import { promptOf } from '../../core/opportunities/searches.ts'
import { toneThreshold } from '../../core/text/sentiment.ts'
import { ownRatings } from '../shared/judged.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type Evidence, readFacts } from './basis.ts'
import { type OutcomePlace, outcomeByPrompt } from './outcome.sql.ts'
import type { Opportunity } from './transitions.ts'

/** The metric that an opportunity was about, and the answers that it is over. */
interface Measured {
  readonly metric: OutcomeMetric
  readonly place: OutcomePlace
  readonly params?: Readonly<Record<string, unknown>>
}

type Subject = Pick<Opportunity, 'subject' | 'evidence' | 'projectId'>

const queriesOf = ({ evidence }: Subject) => [
  ...new Set(evidence.flatMap(({ query }: Evidence) => (query === undefined ? [] : [query]))),
]

/** The prompt that was tracked for a search. */
async function trackedPrompt({ db }: ProjectScope, subject: Subject): Promise<string[]> {
  const [query = ''] = queriesOf(subject)
  const text = { in: [query, promptOf(query)], mode: 'insensitive' as const }
  const rows = await db.prompt.findMany({
    where: { projectId: subject.projectId, text },
    select: { id: true },
  })
  return rows.map(({ id }) => id)
}

async function promptsOf({ db }: ProjectScope, topicId: string): Promise<string[]> {
  const rows = await db.promptTopic.findMany({ where: { topicId }, select: { promptId: true } })
  return rows.map(({ promptId }) => promptId)
}

const onTracked = async (scope: ProjectScope, subject: Subject): Promise<Measured> => ({
  metric: 'visibility',
  place: 'prompts',
  params: { prompts: await trackedPrompt(scope, subject) },
})

const onPage = (url: string): Measured => ({ metric: 'citations', place: 'all', params: { url } })
const urlOf = ({ evidence }: Subject) => evidence.find(({ url }) => url)?.url ?? ''

const measures: Record<
  RuleId,
  (scope: ProjectScope, subject: Subject) => Measured | Promise<Measured>
> = {
  'prompt-gap': (_scope, { subject }) => ({
    metric: 'visibility',
    place: 'prompts',
    params: { prompts: [subject] },
  }),
  'competitor-only-domain': (_scope, { subject }) => ({
    metric: 'visibility',
    place: 'domain',
    params: { domain: subject },
  }),
  'query-without-page': (_scope, subject) => ({
    metric: 'citations',
    place: 'queries',
    params: { queries: queriesOf(subject), url: '' },
  }),
  'untracked-question': onTracked,
  'search-demand': onTracked,
  'crawled-never-cited': (_scope, { subject }) => onPage(subject),
  'lost-citation': (_scope, { subject }) => onPage(subject),
  'cited-page-with-issues': (_scope, subject) => onPage(urlOf(subject)),
  'site-issue': () => onPage(''),
  'widespread-issue': () => onPage(''),
  'visibility-decline': async (scope, { subject }) =>
    subject === 'site'
      ? { metric: 'visibility', place: 'all' }
      : {
          metric: 'visibility',
          place: 'prompts',
          params: { prompts: await promptsOf(scope, subject) },
        },
  'platform-gap': (_scope, { subject }) => ({
    metric: 'visibility',
    place: 'platform',
    params: { platform: subject },
  }),
  'negative-topic': async (scope, { subject }) => ({
    metric: 'negative',
    place: 'prompts',
    params: { prompts: await promptsOf(scope, subject) },
  }),
}

interface PromptRow {
  readonly answers: number
  readonly counted: number
  readonly answersBefore: number
  readonly countedBefore: number
}

function intervalOf(rows: readonly PromptRow[], after: Ratio, before: Ratio) {
  const paired = pairedInterval(
    rows.map((row) => ({
      now: { n: row.counted, d: row.answers },
      before: { n: row.countedBefore, d: row.answersBefore },
    })),
  )
  if (paired) return { low: 100 * paired.low, high: 100 * paired.high }
  // Of few prompts or answers, as if the answers were independent.
  return newcombe(after, before)
}

const mostDays = 30

/**
 * What came of an opportunity that is done or resolved: its metric in the 30 days before that day, and in up to 30 days
 * after it. Null for others.
 * @throws {Fault} `query_timeout`
 */
export async function outcomeOf(scope: ProjectScope, row: Opportunity): Promise<Outcome | null> {
  const decidedAt = row.completedAt ?? row.autoResolvedAt
  const measure = measures[row.rule as RuleId]
  if (!decidedAt || !measure) return null
  const { metric, place, params } = await measure(scope, row)
  const decided = Temporal.PlainDate.from(decidedAt.toISOString().slice(0, 10))
  const today = Temporal.PlainDate.from(scope.now.toISOString().slice(0, 10))
  const end = decided.add({ days: mostDays })
  const current = {
    from: decided.subtract({ days: mostDays }).toString(),
    to: (Temporal.PlainDate.compare(end, today) < 0 ? end : today).toString(),
  }
  const ratings = ownRatings([scope])
  const rows = await readFacts<PromptRow>(
    { scope, current },
    {
      id: `outcome-${metric}`,
      sql: outcomeByPrompt(metric, place, ratings.isJudged),
      params: {
        url: '',
        tone: toneThreshold,
        ...params,
        ...ratings.params,
        decided: decided.toString(),
      },
    },
  )
  const sum = (of: keyof PromptRow) => rows.reduce((total, each) => total + each[of], 0)
  const after = share(sum('counted'), sum('answers'))
  const before = share(sum('countedBefore'), sum('answersBefore'))
  const interval = intervalOf(rows, after, before)
  return {
    metric,
    before,
    after,
    interval,
    text: outcomeText({ metric, before, after, interval }, scope.project.name),
  }
}
