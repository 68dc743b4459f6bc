import { type Part, pooled } from '../../core/investigate/drivers.ts'
import { intervalOfChange } from '../../core/investigate/interval.ts'
import { effectOnShare } from '../../core/opportunities/effect.ts'
import { counted } from '../../core/text/counted.ts'
import { rowsByTopic } from './answer-rules.ts'
import { promptsInBothWindows } from './answers.sql.ts'
import { type Basis, bothWindows, type Finding, percent, quoted, readFacts } from './basis.ts'

interface PromptCounts {
  readonly promptId: string
  readonly responses: number
  readonly named: number
  readonly responsesBefore: number
  readonly namedBefore: number
}

const leastPoints = 5

function partOf({ promptId, ...row }: PromptCounts): Part {
  return {
    key: promptId,
    now: { n: BigInt(row.named), d: BigInt(row.responses) },
    before: { n: BigInt(row.namedBefore), d: BigInt(row.responsesBefore) },
  }
}

/** The points that visibility lost; null unless it fell by 5 or more, and by more than chance. */
function lostPoints(rows: readonly PromptCounts[]): number | null {
  const parts = rows.map(partOf)
  const whole = pooled('all', parts)
  const { now, before } = whole
  const interval = intervalOfChange({ metric: 'visibility', whole, unit: 1n }, parts)
  if (interval === null || interval.high >= 0) return null
  // Cross-multiplied, so that a loss of exactly 5 points counts.
  const lost = 100n * (before.n * now.d - now.n * before.d)
  if (lost < BigInt(leastPoints) * now.d * before.d) return null
  return Number(lost) / Number(now.d * before.d)
}

const sum = (rows: readonly PromptCounts[], of: Exclude<keyof PromptCounts, 'promptId'>) =>
  rows.reduce((total, row) => total + row[of], 0)

/** The prompts that lost most, as evidence. */
function losers({ prompts }: Basis, rows: readonly PromptCounts[]) {
  const lossOf = (row: PromptCounts) =>
    (row.responsesBefore && row.namedBefore / row.responsesBefore) -
    (row.responses && row.named / row.responses)
  return rows
    .filter((row) => row.responses > 0 && lossOf(row) > 0)
    .toSorted((a, b) => lossOf(b) - lossOf(a) || (a.promptId < b.promptId ? -1 : 1))
    .slice(0, 5)
    .map(({ promptId, named }) => {
      const text = quoted(prompts.get(promptId)?.text ?? '')
      return { label: `Answers to ${text} that name the brand`, count: named, promptId }
    })
}

function declineOf(basis: Basis, rows: readonly PromptCounts[], topicId: string | null): Finding[] {
  const points = lostPoints(rows)
  if (points === null) return []
  const brand = basis.scope.project.name
  const topic = topicId === null ? '' : ` on ${quoted(basis.topics.get(topicId) ?? '')}`
  const [named, responses] = [sum(rows, 'named'), sum(rows, 'responses')]
  const [namedBefore, before] = [sum(rows, 'namedBefore'), sum(rows, 'responsesBefore')]
  const of = topicId === null ? {} : { topicId }
  return [
    {
      rule: 'visibility-decline',
      subject: topicId ?? 'site',
      category: 'content',
      scope: topicId === null ? 'site' : 'topic',
      action: 'investigate',
      title: `Find out why ${brand} lost ${Math.round(points)} points of visibility${topic}`,
      description: `In the last 30 days, ${named} of ${counted(responses, 'answer')}${topic} name ${brand} (${percent(named, responses)}). In the 30 days before, ${namedBefore} of ${counted(before, 'answer')} did (${percent(namedBefore, before)}).`,
      n: responses,
      gap: Math.min(1, points / 50),
      effect: effectOnShare(
        'visibility',
        Math.round((points * responses) / 100),
        basis.allAnswers,
        `${percent(named, responses)} of ${counted(responses, 'answer')}${topic} mention ${brand}, after ${percent(namedBefore, before)} in the 30 days before.`,
      ),
      evidence: [
        { label: `Answers that name ${brand}`, count: named, ...of },
        { label: `Answers that named ${brand} in the 30 days before`, count: namedBefore, ...of },
        ...losers(basis, rows),
      ],
    },
  ]
}

/** Losses of visibility, of the site and of each topic. */
export async function visibilityDeclines(basis: Basis): Promise<Finding[]> {
  const rows = await readFacts<PromptCounts>(basis, {
    id: 'visibility-decline',
    sql: promptsInBothWindows,
    range: bothWindows(basis),
  })
  return [
    ...declineOf(basis, rows, null),
    ...[...rowsByTopic(basis, rows)].flatMap(([topicId, ofTopic]) =>
      declineOf(basis, ofTopic, topicId),
    ),
  ]
}
