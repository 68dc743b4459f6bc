import {
  effectOfSearches,
  effectOfTracking,
  effectOnShare,
} from '../../core/opportunities/effect.ts'
import type { RuleId } from '../../core/opportunities/rules.ts'
import {
  groupSearches,
  isNear,
  promptOf,
  type Search,
  type SearchGroup,
  subjectWords,
} from '../../core/opportunities/searches.ts'
import { brandFields, brandsOf } from '../../core/project-brands.ts'
import { counted } from '../../core/text/counted.ts'
import { foreignWords } from '../../core/text/languages/foreign-words.ts'
import { compileBrands } from '../../core/text/mentions.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { type Basis, type Finding, quoted, readFacts } from './basis.ts'
import { queryGroups, unknownQueries, unknownSearches } from './demand.sql.ts'
import { trackedTitles } from './opportunities.sql.ts'

/** Finds out whether one of the titles has all words that say what a search is about. */
function titleIndex(titles: readonly string[]): (words: ReadonlySet<string>) => boolean {
  const byWord = new Map<string, Set<number>>()
  titles.forEach((title, i) => {
    for (const word of subjectWords(title)) {
      const found = byWord.get(word) ?? new Set()
      byWord.set(word, found.add(i))
    }
  })
  return (words) => {
    const sets = [...words].map((word) => byWord.get(word) ?? new Set<number>())
    const [fewest, ...others] = sets.sort((a, b) => a.size - b.size)
    if (!fewest) return titles.length > 0
    return [...fewest].some((i) => others.every((set) => set.has(i)))
  }
}

/** Whose names a search has. */
interface Named {
  readonly own: boolean
  readonly rival: boolean
}

async function namedIn({ db, project }: ProjectScope): Promise<(text: string) => Named> {
  const where = { id: project.id }
  const record = await db.project.findUniqueOrThrow({ where, select: brandFields })
  // Searches are typed in any case: "acme" is the brand Acme.
  const brands = brandsOf(record).map((brand) => ({
    ...brand,
    names: brand.names.map(({ text }) => ({ text, caseSensitive: false })),
  }))
  const matcher = compileBrands(brands, await foreignWords())
  return (text) => {
    const found = matcher.find(text)
    return { own: found.some(({ isOwn }) => isOwn), rival: found.some(({ isOwn }) => !isOwn) }
  }
}

/** Opportunities stay the same, and dismissed, when another search of their group becomes the most frequent. */
async function subjectsOf(
  { db, project }: ProjectScope,
  rules: readonly RuleId[],
): Promise<(rule: RuleId, searches: readonly Known[]) => string> {
  const rows = await db.opportunity.findMany({
    where: { projectId: project.id, rule: { in: [...rules] } },
    select: { rule: true, subject: true, status: true },
  })
  const standing = ['auto_resolved', 'active', 'completed', 'dismissed']
  const known = new Map(
    rows.map(({ rule, subject, status }) => [`${rule} ${subject}`, standing.indexOf(status)]),
  )
  return (rule, searches) => {
    const rankOf = ({ compared }: Known) => known.get(`${rule} ${compared}`) ?? -1
    const [first] = searches.toSorted((a, b) => rankOf(b) - rankOf(a))
    return first?.compared ?? ''
  }
}

/** A search as the facts have it. */
interface Known extends Search {
  /** The case-folded text. */
  readonly compared: string
  /** The most frequent spelling. */
  readonly text: string
}

/** What all rules over searches share. */
interface Demand {
  readonly basis: Basis
  /** Whether a prompt asks for nearly the same. */
  readonly isAsked: (words: ReadonlySet<string>) => boolean
  readonly names: (text: string) => Named
  readonly subject: (rule: RuleId, searches: readonly Known[]) => string
}

async function demandOf(
  basis: Basis,
  wordings: readonly string[],
  rules: readonly RuleId[],
): Promise<Demand> {
  const asked = wordings.map(subjectWords)
  return {
    basis,
    isAsked: (words) => asked.some((each) => isNear(each, words)),
    names: await namedIn(basis.scope),
    subject: await subjectsOf(basis.scope, rules),
  }
}

const leastForPage = 5
const leastForPrompt = 10

/** Answers of a group of sub-queries that mean the same. */
interface QueryGroup extends SearchGroup<Known> {
  readonly responses: number
  /** Answers that mention the brand, and those that cite an own page. */
  readonly named: number
  readonly citing: number
}

/** The searches of a group in words, and their counts. */
function queryEvidence({ searches, responses, named, citing }: QueryGroup, brand: string) {
  const [first] = searches
  const query = first?.text ?? ''
  return [
    { label: 'Answers that searched for it', count: responses, query },
    { label: `Answers among them that mention ${brand}`, count: named, query },
    { label: 'Answers among them that cite an own page', count: citing, query },
    ...searches.slice(1, 6).map(({ text, times }) => {
      return { label: 'Answers that searched for nearly the same', count: times, query: text }
    }),
  ]
}

function queryWithoutPage(demand: Demand, group: QueryGroup, isOwn: boolean): Finding {
  const { allAnswers, scope } = demand.basis
  const { searches, responses, named } = group
  const brand = scope.project.name
  const text = promptOf(searches[0]?.text ?? '')
  const many = counted(responses, 'answer')
  return {
    rule: 'query-without-page',
    subject: demand.subject('query-without-page', searches),
    category: 'content',
    scope: 'topic',
    action: 'create_page',
    title: `Answer ${quoted(text)} on a page of yours`,
    description: `In the last 30 days, ${many} searched for ${quoted(text)}, and none of them cites an own page. No tracked page has these words in its title or main heading.`,
    n: responses,
    gap: isOwn ? 1 : (responses - named) / responses,
    effect: isOwn
      ? effectOnShare(
          'citations',
          responses,
          allAnswers,
          `${many} a month searched for it, and none of them cites a page of yours.`,
        )
      : effectOnShare(
          'visibility',
          responses - named,
          allAnswers,
          `${many} a month searched for it, none of them cites a page of yours, and ${responses - named} do not mention ${brand}.`,
        ),
    evidence: queryEvidence(group, brand),
  }
}

function untrackedQuestion(demand: Demand, group: QueryGroup): Finding {
  const { searches, responses, named } = group
  const brand = demand.basis.scope.project.name
  const text = promptOf(searches[0]?.text ?? '')
  const many = counted(responses, 'answer')
  return {
    rule: 'untracked-question',
    subject: demand.subject('untracked-question', searches),
    category: 'prompts',
    scope: 'prompt',
    action: 'track_prompt',
    title: `Track the prompt ${quoted(text)}`,
    description: `In the last 30 days, ${many} searched for ${quoted(text)}. No prompt asks for it.`,
    n: responses,
    gap: (0.5 * (responses - named)) / responses,
    effect: effectOfTracking(
      responses - named,
      `${many} a month searched for it, and ${responses - named} of them do not mention ${brand}. No prompt asks for it.`,
    ),
    evidence: queryEvidence(group, brand),
  }
}

async function groupsOf(basis: Basis, groups: readonly SearchGroup<Known>[]) {
  const numbered = groups.flatMap(({ searches }, i) =>
    searches.map(({ compared }) => ({ compared, number: i + 1 })),
  )
  const rows = await readFacts<Omit<QueryGroup, 'words' | 'searches'> & { number: number }>(basis, {
    id: 'query-groups',
    sql: queryGroups,
    params: {
      texts: numbered.map(({ compared }) => compared),
      groups: numbered.map(({ number }) => number),
    },
  })
  return rows.flatMap(({ number, ...counts }): QueryGroup[] => {
    const group = groups[number - 1]
    return group ? [{ ...group, ...counts }] : []
  })
}

/** Sub-queries that are about a competitor say nothing of the brand, unless they compare both. */
const isOfRival = ({ own, rival }: Named) => rival && !own

/**
 * Sub-queries that neither a page nor a prompt covers, by two rules: a page comes before a prompt. Those that ask for
 * nearly the same are one.
 */
export async function uncoveredQueries(
  basis: Basis,
  wordings: readonly string[],
): Promise<Finding[]> {
  const { db, project } = basis.scope
  const demand = await demandOf(basis, wordings, ['query-without-page', 'untracked-question'])
  const rows = await readFacts<Omit<Known, 'times'> & { responses: number }>(basis, {
    id: 'unknown-queries',
    sql: unknownQueries,
    params: { wordings },
  })
  const queries = rows.map(({ responses, ...row }): Known => ({ ...row, times: responses }))
  const wanted = queries.filter(({ text }) => !isOfRival(demand.names(text)))
  const large = groupSearches(wanted).filter(
    ({ searches }) => searches.reduce((sum, { times }) => sum + times, 0) >= leastForPage,
  )
  if (large.length === 0) return []
  const titles = await db.$queryRawUnsafe<{ title: string }[]>(trackedTitles, project.id)
  const hasPage = titleIndex(titles.map(({ title }) => title))
  return (await groupsOf(basis, large)).flatMap((group): Finding[] => {
    const { own } = demand.names(group.searches[0]?.text ?? '')
    const { words, responses, named, citing } = group
    if (responses < leastForPage) return []
    if (citing === 0 && !hasPage(words)) return [queryWithoutPage(demand, group, own)]
    // A search for the brand finds it, and so do answers that all mention it.
    if (own || named === responses || responses < leastForPrompt) return []
    return demand.isAsked(words) ? [] : [untrackedQuestion(demand, group)]
  })
}

/** The searches that findings are about. */
export function queriesOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ evidence: [first] }) => first?.query ?? [])
}

interface UnknownSearch extends Known {
  readonly clicks: number
  /** Mean position over the impressions, rounded. */
  readonly position: number
}

function searchWithoutPrompt(demand: Demand, { searches }: SearchGroup<UnknownSearch>): Finding[] {
  const [first] = searches
  if (!first) return []
  const { clicks, position } = first
  const text = promptOf(first.text)
  const sum = searches.reduce((total, { times }) => total + times, 0)
  const seen = counted(sum, 'impression')
  return [
    {
      rule: 'search-demand',
      subject: demand.subject('search-demand', searches),
      category: 'prompts',
      scope: 'prompt',
      action: 'track_prompt',
      title: `Track the prompt ${quoted(text)}`,
      description: `In the last 30 days, ${quoted(first.text)} had ${counted(first.times, 'impression')} in search results at a mean position of ${position}, and ${counted(clicks, 'click')}. No prompt has these words.`,
      n: sum / 10,
      gap: 0.5,
      effect: effectOfSearches(
        sum,
        `It had ${seen} in Google in 30 days, where you are on the first page. No prompt asks for it.`,
      ),
      evidence: [
        { label: 'Impressions in search results', count: first.times, query: first.text },
        { label: 'Clicks', count: clicks, query: first.text },
        { label: 'Mean position', count: position, query: first.text },
        ...searches.slice(1, 6).map(({ text: query, times }) => {
          return { label: 'Impressions of nearly the same', count: times, query }
        }),
      ],
    },
  ]
}

/** Queries of the search console that no prompt tracks; none without a linked search console. */
export async function searchDemand(basis: Basis, wordings: readonly string[]): Promise<Finding[]> {
  if (!basis.scope.project.connections.includes('searchConsole')) return []
  const demand = await demandOf(basis, wordings, ['search-demand'])
  const rows = await readFacts<Omit<UnknownSearch, 'times'> & { impressions: number }>(basis, {
    id: 'search-demand',
    sql: () => unknownSearches,
    params: { wordings, leastImpressions: 100, worstPosition: 10 },
  })
  // Who searches for the brand has heard of it, and who searches for a competitor is not asking for the brand.
  const searches = rows.map(({ impressions, ...row }): UnknownSearch => {
    return { ...row, times: impressions }
  })
  const wanted = searches.filter(({ text }) => {
    const { own, rival } = demand.names(text)
    return !own && !rival
  })
  return groupSearches(wanted)
    .filter(({ words }) => !demand.isAsked(words))
    .flatMap((group) => searchWithoutPrompt(demand, group))
}
