import { counted } from '../../core/text/counted.ts'
import { wordsOf } from '../../core/text/words.ts'

import { type Basis, type Finding, quoted, readFacts } from './basis.ts'
import { unknownQueries, unknownSearches } from './demand.sql.ts'
import { trackedTitles } from './opportunities.sql.ts'

const leastLetters = 3

/** The words of a text with 3 letters or more, folded. */
function longWords(text: string): string[] {
  return wordsOf(text.normalize('NFKC').toLowerCase()).filter(
    (word) => [...word].length >= leastLetters,
  )
}

/** Finds out whether one of the titles has all long words of a text. */
function titleIndex(titles: readonly string[]): (text: string) => boolean {
  const byWord = new Map<string, Set<number>>()
  titles.forEach((title, i) => {
    for (const word of longWords(title)) {
      const found = byWord.get(word) ?? new Set()
      byWord.set(word, found.add(i))
    }
  })
  return (text) => {
    const sets = longWords(text).map((word) => byWord.get(word) ?? new Set<number>())
    const [fewest, ...others] = sets.sort((a, b) => a.size - b.size)
    if (!fewest) return titles.length > 0
    return [...fewest].some((i) => others.every((set) => set.has(i)))
  }
}

interface UnknownQuery {
  /** The case-folded text. */
  readonly compared: string
  /** The most frequent spelling. */
  readonly text: string
  readonly responses: number
  /** Answers that cite an own page. */
  readonly citing: number
}

const leastForPage = 5
const leastForPrompt = 10

function queryEvidence({ text, responses, citing }: UnknownQuery) {
  return [
    { label: 'Answers that searched for it', count: responses, query: text },
    { label: 'Answers among them that cite an own page', count: citing, query: text },
  ]
}

function queryWithoutPage(row: UnknownQuery): Finding {
  const { compared, text, responses } = row
  return {
    rule: 'query-without-page',
    subject: compared,
    category: 'content',
    scope: 'topic',
    action: 'create_page',
    title: `No page answers ${quoted(text)}`,
    description: `In the last 30 days, ${counted(responses, 'answer')} searched for ${quoted(text)}, and none of them cites an own page. No tracked page has these words in its title or main heading.`,
    n: responses,
    gap: 1,
    evidence: queryEvidence(row),
  }
}

function untrackedQuestion(row: UnknownQuery): Finding {
  const { compared, text, responses } = row
  return {
    rule: 'untracked-question',
    subject: compared,
    category: 'prompts',
    scope: 'prompt',
    action: 'track_prompt',
    title: `No prompt tracks ${quoted(text)}`,
    description: `In the last 30 days, ${counted(responses, 'answer')} searched for ${quoted(text)}. No prompt has these words.`,
    n: responses,
    gap: 0.5,
    evidence: queryEvidence(row),
  }
}

/** Sub-queries that neither a page nor a prompt covers, by two rules: a page comes before a prompt. */
export async function uncoveredQueries(
  basis: Basis,
  wordings: readonly string[],
): Promise<Finding[]> {
  const { db, project } = basis.scope
  const rows = await readFacts<UnknownQuery>(basis, {
    id: 'unknown-queries',
    sql: unknownQueries,
    params: { wordings, leastAnswers: leastForPage },
  })
  const found = await db.$queryRawUnsafe<{ title: string }[]>(trackedTitles, project.id)
  const hasPage = titleIndex(found.map(({ title }) => title))
  return rows.flatMap((row) => {
    if (row.citing === 0 && !hasPage(row.text)) return [queryWithoutPage(row)]
    return row.responses >= leastForPrompt ? [untrackedQuestion(row)] : []
  })
}

interface UnknownSearch {
  readonly compared: string
  readonly text: string
  readonly impressions: number
  readonly clicks: number
  /** Mean position over the impressions, rounded. */
  readonly position: number
}

/** Queries of the search console that no prompt tracks; none without a linked search console. */
export async function searchDemand(basis: Basis, wordings: readonly string[]): Promise<Finding[]> {
  if (!basis.scope.project.connections.includes('searchConsole')) return []
  const rows = await readFacts<UnknownSearch>(basis, {
    id: 'search-demand',
    sql: () => unknownSearches,
    params: { wordings, leastImpressions: 100, worstPosition: 10 },
  })
  return rows.map(({ compared, text, impressions, clicks, position }) => ({
    rule: 'search-demand',
    subject: compared,
    category: 'prompts',
    scope: 'prompt',
    action: 'track_prompt',
    title: `No prompt tracks the search ${quoted(text)}`,
    description: `In the last 30 days, ${quoted(text)} had ${counted(impressions, 'impression')} in search results at a mean position of ${position}, and ${counted(clicks, 'click')}. No prompt has these words.`,
    n: impressions / 10,
    gap: 0.5,
    evidence: [
      { label: 'Impressions in search results', count: impressions, query: text },
      { label: 'Clicks', count: clicks, query: text },
      { label: 'Mean position', count: position, query: text },
    ],
  }))
}
