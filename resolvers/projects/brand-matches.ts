import { brandFields, brandsOf, type StoredBrand } from '../../core/project-brands.ts'
import { plainText } from '../../core/text/excerpt.ts'
import { type DictionaryLanguage, foreignWords } from '../../core/text/languages/foreign-words.ts'
import { defaultMatch, type MatchRule, matchOf } from '../../core/text/match-modes.ts'
import { compileBrands, type NamePlace } from '../../core/text/mentions.ts'
import type { SetAside } from '../../core/text/occurrences.ts'
import type { Db } from '../../prisma/client.ts'
import type { Warehouse } from '../../warehouse/client.ts'
import { run } from '../../warehouse/run.ts'
import { newestAnswers } from '../shared/newest-answers.sql.ts'

export const answersToSearch = 1000

/** A position in an answer where a name occurs. */
export interface MatchSample {
  readonly projectId: string
  readonly answerId: string
  readonly platform: string
  /** UTC day. */
  readonly date: string
  readonly before: string
  readonly matched: string
  readonly after: string
  /** Null where the name counts. */
  readonly setAside: SetAside | null
}

/** A name of a tracked brand: how it is matched, and what it finds in the newest answers. */
export interface NameMatches {
  readonly projectId: string
  /** The catalog's row of the name: the project, a competitor or an alias. */
  readonly subjectId: string
  readonly brandId: string
  readonly brand: string
  readonly isOwn: boolean
  readonly text: string
  readonly rule: MatchRule
  /** Languages in whose answers the name counts in exact case only, because their dictionary has it. */
  readonly exactIn: readonly DictionaryLanguage[]
  readonly excludedPhrases: readonly string[]
  /** Answers that name the brand by this name. */
  readonly answers: number
  /** Answers in which the name stands and does not count. */
  readonly answersSetAside: number
  readonly samples: readonly MatchSample[]
}

export interface BrandMatches {
  readonly answersSearched: number
  readonly names: readonly NameMatches[]
}

interface AnswerRow {
  readonly projectId: string
  readonly answerId: string
  readonly platform: string
  readonly date: string
  readonly text: string
}

const contextLength = 80

/** The text beside a name, from a word on and to a word. */
function sampleOf({ text, ...answer }: AnswerRow, place: NamePlace): MatchSample {
  const { start, end, setAside } = place
  const left = text.slice(Math.max(0, start - 2 * contextLength), start)
  const right = text.slice(end, end + 2 * contextLength)
  const before = plainText(left).slice(-contextLength)
  const after = plainText(right).slice(0, contextLength)
  return {
    ...answer,
    before: before.length < contextLength ? before : before.replace(/^\S*\s/, ''),
    matched: text.slice(start, end),
    after: after.length < contextLength ? after : after.replace(/\s\S*$/, ''),
    setAside,
  }
}

/** Collects what one name finds. */
class Finds {
  answers = 0
  answersSetAside = 0
  readonly counted: MatchSample[] = []
  readonly aside: MatchSample[] = []

  add(answer: AnswerRow, places: readonly NamePlace[], limit: number): void {
    const counts = places.find(({ setAside }) => setAside === null)
    // A name within a longer name of the same text says nothing about the rule.
    const other = places.find(({ setAside }) => setAside !== null && setAside !== 'longer_name')
    if (counts !== undefined) {
      this.answers++
      if (this.counted.length < limit) this.counted.push(sampleOf(answer, counts))
    }
    if (other === undefined) return
    this.answersSetAside++
    if (this.aside.length < limit) this.aside.push(sampleOf(answer, other))
  }
}

type NamedRow = Omit<
  NameMatches,
  'projectId' | 'answers' | 'answersSetAside' | 'samples' | 'exactIn'
>

function rowsOf(stored: StoredBrand, isOwn: boolean, domains: readonly string[]): NamedRow[] {
  const about = { brandId: stored.id, brand: stored.name, isOwn }
  const names = [{ ...stored, text: stored.name }, ...stored.aliases].map((each) => ({
    ...about,
    subjectId: each.id,
    text: each.text,
    rule: matchOf(each.text, each.caseSensitive),
    excludedPhrases: each.excludedPhrases,
  }))
  const bare = domains.map((text) => ({
    ...about,
    subjectId: stored.id,
    text,
    rule: { ...defaultMatch(text), mode: 'any_case' as const },
    excludedPhrases: [],
  }))
  return [...names, ...bare]
}

const keyOf = (brandId: string, name: string) => `${brandId} ${name}`

/**
 * Shows how each name of a project's brands is matched, with samples from the newest answers.
 * @param args `limit` samples that count, and as many that do not, for each name; `subjectId` keeps one brand or alias
 */
export async function brandMatches(
  { db, warehouse }: { db: Db; warehouse: Warehouse },
  projectId: string,
  args: { readonly limit: number; readonly subjectId?: string },
): Promise<BrandMatches> {
  const project = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { ...brandFields, visibleLoad: true, deadLoads: true },
  })
  const brands = brandsOf(project)
  const rows = [
    ...rowsOf(project, true, brands[0]?.domains ?? []),
    ...project.competitors.flatMap((each) => rowsOf(each, false, [each.domain])),
  ].filter(({ subjectId }) => args.subjectId === undefined || subjectId === args.subjectId)
  if (rows.length === 0) return { answersSearched: 0, names: [] }
  const answers = await run<Omit<AnswerRow, 'projectId'>>(warehouse, {
    id: 'brand-matches.answers',
    sql: newestAnswers,
    params: {
      project: projectId,
      load: project.visibleLoad,
      dead: project.deadLoads,
      limit: answersToSearch,
    },
  })
  const words = await foreignWords()
  const matcher = compileBrands(brands, words)
  const found = new Map<string, Finds>()
  for (const answer of answers) {
    const places = matcher.places(answer.text, answer.platform)
    for (const [key, own] of Map.groupBy(places, ({ brandId, name }) => keyOf(brandId, name))) {
      const finds = found.get(key) ?? new Finds()
      found.set(key, finds)
      finds.add({ projectId, ...answer }, own, args.limit)
    }
  }
  const names = rows.map((row) => {
    const finds = found.get(keyOf(row.brandId, row.text)) ?? new Finds()
    const { answers: count, answersSetAside, counted, aside } = finds
    const exactIn = row.rule.reason === 'distinctive' ? words.languagesOf(row.text) : []
    const rule = exactIn.length > 0 ? { ...row.rule, reason: 'foreign_word' as const } : row.rule
    return {
      projectId,
      ...row,
      rule,
      exactIn,
      answers: count,
      answersSetAside,
      samples: [...counted, ...aside],
    }
  })
  return { answersSearched: answers.length, names }
}
