import { wilsonBounds } from '../../core/metrics.ts'
import { effectOnShare } from '../../core/opportunities/effect.ts'
import { counted } from '../../core/text/counted.ts'
import { toneThreshold } from '../../core/text/sentiment.ts'
import { ownRatings } from '../shared/judged.ts'
import { platformNamesIn } from '../shared/platform-names.ts'
import { negativePrompts, platformCounts, rivalPrompts } from './answers.sql.ts'
import { type Basis, type Finding, percent, promptEvidence, quoted, readFacts } from './basis.ts'

interface RivalPrompt {
  readonly promptId: string
  readonly responses: number
  /** Answers that name the brand, and those that name each competitor. */
  readonly named: number
  readonly rivals: Readonly<Record<string, number>>
  /** The own page that the answers cite most; empty when they cite none. */
  readonly page: string
}

interface Rival {
  readonly id: string
  readonly name: string
  readonly named: number
}

/** Competitors that lead the brand by more than chance, the widest lead first. */
function leaders({ scope }: Basis, { responses, named, rivals }: RivalPrompt): Rival[] {
  const own = wilsonBounds(named, responses)
  return scope.project.competitors
    .map(({ id, name }) => ({ id, name, named: rivals[id] ?? 0 }))
    .filter((rival) => own.high < wilsonBounds(rival.named, responses).low)
    .sort((a, b) => b.named - a.named || (a.name < b.name ? -1 : 1))
}

function promptGap(basis: Basis, row: RivalPrompt): Finding[] {
  const { promptId, responses, named, page } = row
  const prompt = basis.prompts.get(promptId)
  const rivals = leaders(basis, row)
  const [first] = rivals
  if (!prompt?.isTracked || !first) return []
  const brand = basis.scope.project.name
  const advice = page ? `Improve ${page}, which they cite.` : 'Create a page that answers it.'
  return [
    {
      rule: 'prompt-gap',
      subject: promptId,
      category: 'content',
      scope: 'prompt',
      action: page ? 'improve_page' : 'create_page',
      title: page
        ? `Improve the page that answers ${quoted(prompt.text)}, where ${first.name} leads`
        : `Answer ${quoted(prompt.text)} on a page of yours, where ${first.name} leads`,
      description: `In the last 30 days, ${first.named} of ${counted(responses, 'answer')} name ${first.name} (${percent(first.named, responses)}), and ${named} name ${brand} (${percent(named, responses)}). ${advice}`,
      n: responses - named,
      gap: (first.named - named) / responses,
      effect: effectOnShare(
        'visibility',
        first.named - named,
        basis.allAnswers,
        `${first.named} of ${counted(responses, 'answer')} to the prompt mention ${first.name}, and ${named} mention ${brand}.`,
      ),
      evidence: [
        { label: 'Answers to the prompt', count: responses, promptId },
        { label: `Answers that name ${brand}`, count: named, promptId },
        ...rivals.slice(0, 5).map((rival) => ({
          label: `Answers that name ${rival.name}`,
          count: rival.named,
          promptId,
          competitorId: rival.id,
        })),
        ...(page ? [{ label: 'Own page that the answers cite most', count: 1, url: page }] : []),
      ],
    },
  ]
}

const leastOfPrompt = 10

export async function promptGaps(basis: Basis): Promise<Finding[]> {
  const rows = await readFacts<RivalPrompt>(basis, {
    id: 'prompt-gap',
    sql: rivalPrompts,
    params: { leastAnswers: leastOfPrompt },
  })
  return rows.flatMap((row) => promptGap(basis, row))
}

interface PlatformCounts {
  readonly platform: string
  readonly responses: number
  readonly named: number
}

const leastOfPlatform = 50
const pointsApart = 15

export async function platformGaps(basis: Basis): Promise<Finding[]> {
  const rows = await readFacts<PlatformCounts>(basis, { id: 'platform-gap', sql: platformCounts })
  const sum = (of: 'responses' | 'named') => rows.reduce((total, row) => total + row[of], 0)
  const [allResponses, allNamed] = [sum('responses'), sum('named')]
  const { db, project } = basis.scope
  const brand = project.name
  const ids = rows.map(({ platform }) => platform)
  const nameOf = await platformNamesIn(db, project.id, ids)
  return rows.flatMap(({ platform, responses, named }): Finding[] => {
    const others = { responses: allResponses - responses, named: allNamed - named }
    if (responses < leastOfPlatform || others.responses === 0) return []
    // Cross-multiplied, so that a gap of exactly 15 points counts.
    const lead = others.named * responses - named * others.responses
    if (100 * lead < pointsApart * responses * others.responses) return []
    const [own, rest] = [
      wilsonBounds(named, responses),
      wilsonBounds(others.named, others.responses),
    ]
    if (own.high >= rest.low) return []
    const name = nameOf(platform)
    return [
      {
        rule: 'platform-gap',
        subject: platform,
        category: 'aiReadiness',
        scope: 'platform',
        action: 'investigate',
        title: `Find out why ${name} mentions ${brand} less than other platforms`,
        description: `In the last 30 days, ${named} of ${counted(responses, 'answer')} of ${name} name ${brand} (${percent(named, responses)}). On all other platforms ${others.named} of ${counted(others.responses, 'answer')} do (${percent(others.named, others.responses)}).`,
        n: responses - named,
        gap: lead / (responses * others.responses),
        effect: effectOnShare(
          'visibility',
          Math.round(lead / others.responses),
          basis.allAnswers,
          `${name} mentions ${brand} in ${percent(named, responses)} of ${counted(responses, 'answer')}, the other platforms in ${percent(others.named, others.responses)}.`,
        ),
        evidence: [
          { label: `Answers of ${name}`, count: responses, platform },
          { label: `Answers of ${name} that name ${brand}`, count: named, platform },
          { label: 'Answers of other platforms', count: others.responses },
          { label: `Answers of other platforms that name ${brand}`, count: others.named },
        ],
      },
    ]
  })
}

interface NegativePrompt {
  readonly promptId: string
  readonly rated: number
  readonly negative: number
}

const leastRated = 20
const negativeShare = 0.2

export async function negativeTopics(basis: Basis): Promise<Finding[]> {
  const { isJudged, params } = ownRatings([basis.scope])
  const rows = await readFacts<NegativePrompt>(basis, {
    id: 'negative-topic',
    sql: negativePrompts(isJudged),
    params: { tone: toneThreshold, ...params },
  })
  const brand = basis.scope.project.name
  return [...rowsByTopic(basis, rows)].flatMap(([topicId, ofTopic]): Finding[] => {
    const sum = (of: 'rated' | 'negative') => ofTopic.reduce((total, row) => total + row[of], 0)
    const [rated, negative] = [sum('rated'), sum('negative')]
    if (rated < leastRated || wilsonBounds(negative, rated).low <= negativeShare) return []
    const name = basis.topics.get(topicId) ?? ''
    const byPrompt = Object.fromEntries(
      ofTopic.filter((row) => row.negative > 0).map((row) => [row.promptId, row.negative]),
    )
    return [
      {
        rule: 'negative-topic',
        subject: topicId,
        category: 'content',
        scope: 'topic',
        action: 'improve_page',
        title: `Answer what is said against ${brand} on ${quoted(name)}`,
        description: `In the last 30 days, ${negative} of ${counted(rated, 'answer')} on ${quoted(name)} that rate ${brand} are negative (${percent(negative, rated)}).`,
        n: negative,
        gap: negative / rated,
        effect: effectOnShare(
          'negative',
          negative,
          basis.allAnswers,
          `${negative} of ${counted(rated, 'answer')} on the topic speak badly of ${brand}.`,
        ),
        evidence: [
          { label: `Answers that rate ${brand}`, count: rated, topicId },
          { label: 'Negative answers', count: negative, topicId },
          ...promptEvidence(basis, byPrompt),
        ],
      },
    ]
  })
}

/** The rows of prompts by topic; a prompt of several topics belongs to each. */
export function rowsByTopic<Row extends { readonly promptId: string }>(
  { prompts, topics }: Basis,
  rows: readonly Row[],
): Map<string, Row[]> {
  const byTopic = new Map<string, Row[]>([...topics.keys()].map((id) => [id, []]))
  for (const row of rows) {
    for (const id of prompts.get(row.promptId)?.topicIds ?? []) byTopic.get(id)?.push(row)
  }
  return byTopic
}
