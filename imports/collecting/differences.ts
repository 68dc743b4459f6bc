import { hasAnswer } from '../../core/collecting/providers/ending.ts'
import type { ProviderReply } from '../../core/collecting/providers/reply.ts'
import { utcDayOf } from '../../core/window.ts'
import {
  type CountedAsk,
  countedAsks,
  type RereadSelection,
  runsToReread,
} from '../../resolvers/collecting/reread.ts'
import { type AnswerLine, parseAnswerLine } from '../answers/line.ts'
import { pagesOf } from '../answers/pages.ts'
import {
  answersById,
  queriesOf,
  type StoredAnswer,
  type VisibleAnswers,
} from '../answers/stored.ts'
import type { ImportStores } from '../loads/runner.ts'
import { lineOf, type ReplyReader, replyOf } from './import.ts'
import { pageRows, type RawAnswer, rawAnswers } from './raw.ts'

/** What differs between a stored answer and its body as it reads today. */
export const differenceKinds = ['outcome', 'text', 'model', 'queries', 'pages'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/** A kept body as it reads today. */
export interface Reread {
  readonly raw: RawAnswer
  readonly ask: CountedAsk
  readonly reply: ProviderReply
  /** The answer of the body; null without one. */
  readonly line: AnswerLine | null
  /** The answer that readers see; null without one. */
  readonly stored: StoredAnswer | null
  /** Empty for a body that reads as it did. */
  readonly kinds: readonly DifferenceKind[]
}

export interface Rereading extends RereadSelection {
  readonly read?: ReplyReader | undefined
}

export interface Unreadable {
  readonly reason: string
}

const dayOf = ({ askedAt }: RawAnswer) => utcDayOf(askedAt)

/** The bodies of questions that were asked at the provider and on the days of the selection, in pages. */
async function* pagesOfBodies(
  { db, warehouse }: ImportStores,
  projectId: string,
  selection: RereadSelection,
): AsyncGenerator<RawAnswer[], void> {
  const { provider, from = '', to = '9999' } = selection
  let page: RawAnswer[] = []
  for (const { id: runId } of await runsToReread(db, projectId, selection)) {
    for await (const raw of rawAnswers(warehouse, { projectId, runId, provider })) {
      if (dayOf(raw) < from || dayOf(raw) > to) continue
      page.push(raw)
      if (page.length < pageRows) continue
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}

/** What a body says today, beside how its question had ended. */
function readAgain(
  raw: RawAnswer,
  ask: CountedAsk,
  read: ReplyReader | undefined,
): Omit<Reread, 'stored' | 'kinds'> | Unreadable {
  const reply = replyOf(raw, read)
  if (!reply) return { reason: `The body of question ${raw.askId} cannot be read.` }
  if (!hasAnswer(reply)) return { raw, ask, reply, line: null }
  const line = parseAnswerLine(lineOf(raw, reply), 1)
  if (line === null || 'reason' in line) {
    return { reason: `The body of question ${raw.askId}: ${line?.reason ?? 'it is empty.'}` }
  }
  return { raw, ask, reply, line }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The pages of an answer, as far as the body says them. */
const pageList = ({ citations, retrieved }: Pick<AnswerLine, 'citations' | 'retrieved'>) =>
  [citations, retrieved].map((list) =>
    list.map(({ position, url, title }) => [position, url, title]),
  )

interface StoredParts {
  readonly queries: readonly string[]
  readonly pages: Pick<AnswerLine, 'citations' | 'retrieved'>
}

const noPages = { citations: [], retrieved: [] }

function kindsOf(
  { ask, reply, line }: Pick<Reread, 'ask' | 'reply' | 'line'>,
  stored: StoredAnswer | null,
  parts: StoredParts,
): DifferenceKind[] {
  const differs: Record<DifferenceKind, boolean> = {
    outcome: ask.outcome !== reply.outcome,
    text: false,
    model: false,
    queries: false,
    pages: false,
  }
  if (stored && line) {
    differs.text = line.text !== stored.text
    differs.model = line.model !== stored.shared.model
    differs.queries = !same(line.searchQueries, parts.queries)
    differs.pages = !same(pageList(line), pageList(parts.pages))
  }
  return differenceKinds.filter((kind) => differs[kind])
}

/**
 * Reads the kept bodies of runs that have ended, and compares them with what readers see. A question whose answer was
 * undone or removed has no stored answer.
 * @param load what readers see
 */
export async function* rereadBodies(
  stores: ImportStores,
  load: VisibleAnswers,
  { read, ...selection }: Rereading,
): AsyncGenerator<Reread | Unreadable, void> {
  const { db, warehouse } = stores
  for await (const page of pagesOfBodies(stores, load.projectId, selection)) {
    const asks = await countedAsks(
      db,
      page.map(({ askId }) => askId),
    )
    const shown = await answersById(warehouse, load, {
      ids: [...asks.values()].flatMap(({ answerId }) => answerId ?? []),
      days: [...new Set(page.map(dayOf))],
    })
    const [queries, pages] = await Promise.all([
      queriesOf(warehouse, load, shown),
      pagesOf(warehouse, load, shown),
    ])
    const byId = new Map(shown.map((answer) => [String(answer.shared.answer_id), answer]))
    for (const raw of page) {
      const ask = asks.get(raw.askId)
      if (!ask) continue
      const found = readAgain(raw, ask, read)
      if ('reason' in found) {
        yield found
        continue
      }
      const id = ask.answerId ?? ''
      const stored = byId.get(id) ?? null
      const parts = { queries: queries.get(id) ?? [], pages: pages.get(id) ?? noPages }
      yield { ...found, stored, kinds: kindsOf(found, stored, parts) }
    }
  }
}
