import { run, type Warehouse } from '../../warehouse/run.ts'
import { type Row, withRetries } from '../loads/insert-batches.ts'
import type { Load } from '../loads/loads.ts'
import type { AnalysableAnswer } from './analysis-thread.ts'
import { nilUuid } from './catalog.ts'

/** A stored answer to recount. */
export interface StoredAnswer extends AnalysableAnswer {
  /** As the import gave it, -1 to 1. */
  readonly sentiment: number | null
  /** The columns that its mentions share with it. */
  readonly shared: Row & { readonly answer_id: string; readonly day: string }
}

const pageAnswers = 2000
const pageBytes = 16 * 1024 * 1024

const order = 'day, prompt_id, platform, id'
/** The rows of a project that readers see, in any table of facts. `boundTo` binds its values. */
export const visible = `project_id = {projectId:UUID} AND load_seq <= {visibleLoad:UInt32}
  AND load_seq NOT IN {deadLoads:Array(UInt32)}`
// The plain condition on the day lets the engine skip earlier days. A page has at most `pageBytes` of text, but at
// least one answer. Sizes choose its answers, so that no more texts are in the engine's memory.
const follows = `${visible} AND day >= {day:Date}
  AND (${order}) > ({day:Date}, {prompt:UUID}, {platform:String}, {id:UUID})`
const columns =
  'day, prompt_id, platform, id, model, location_id, country, load_seq, sentiment, text'
const page = `
  SELECT ${columns}
  FROM answers
  WHERE ${visible} AND day >= {day:Date} AND (${order}) IN (
    SELECT ${order} FROM (
      SELECT ${order}, sum(size_bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - size_bytes AS before
      FROM (SELECT ${order}, size_bytes FROM answers WHERE ${follows} ORDER BY ${order} LIMIT ${pageAnswers})
    ) WHERE before < ${pageBytes})
  ORDER BY ${order}`

/** The answers of a project that readers see. */
export type VisibleAnswers = Pick<Load, 'projectId' | 'visibleLoad' | 'deadLoads'>

export const boundTo = ({ projectId, visibleLoad, deadLoads }: VisibleAnswers) => ({
  projectId,
  visibleLoad,
  deadLoads,
})

/** How many answers readers see. */
export async function countAnswers(warehouse: Warehouse, load: VisibleAnswers): Promise<number> {
  const [count = 0] = await withRetries(() =>
    run(warehouse, {
      id: 'analyses.count',
      sql: `SELECT count() AS answers FROM answers WHERE ${visible}`,
      params: boundTo(load),
      timeoutMs: 60_000,
      row: ({ answers }) => Number(answers),
    }),
  )
  return count
}

/** All answers that readers see, in pages, so that memory holds one page. */
export async function* answerPages(
  warehouse: Warehouse,
  load: VisibleAnswers,
): AsyncGenerator<StoredAnswer[], void> {
  let after: Row = { day: '1970-01-01', prompt: nilUuid, platform: '', id: nilUuid }
  for (;;) {
    const params = { ...boundTo(load), ...after }
    const rows = await withRetries(() =>
      run(warehouse, {
        id: 'analyses.page',
        sql: page,
        params,
        timeoutMs: 60_000,
        row: (raw) => raw,
      }),
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map((row) => toAnswer(load.projectId, row))
    after = { day: last.day, prompt: last.prompt_id, platform: last.platform, id: last.id }
  }
}

/** The answers that readers see of some ids. @param days the UTC days of the answers */
export function answersById(
  warehouse: Warehouse,
  load: VisibleAnswers,
  { ids, days }: { readonly ids: readonly string[]; readonly days: readonly string[] },
): Promise<StoredAnswer[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withRetries(() =>
    run(warehouse, {
      id: 'answers.by-id',
      sql: `SELECT ${columns} FROM answers
        WHERE ${visible} AND day IN {days:Array(Date)} AND answers.id IN {ids:Array(UUID)}`,
      params: { ...boundTo(load), days, ids },
      timeoutMs: 60_000,
      row: (row) => toAnswer(load.projectId, row),
    }),
  )
}

/** The searches of answers in their order, by the answer's id. */
export async function queriesOf(
  warehouse: Warehouse,
  load: VisibleAnswers,
  answers: readonly StoredAnswer[],
): Promise<Map<string, string[]>> {
  if (answers.length === 0) return new Map()
  const days = [...new Set(answers.map(({ shared }) => shared.day))]
  const ids = answers.map(({ shared }) => shared.answer_id)
  const rows = await withRetries(() =>
    run<{ answer: string; query: string }>(warehouse, {
      id: 'answers.queries',
      sql: `SELECT toString(answer_id) AS answer, query FROM fanout_queries
        WHERE ${visible} AND day IN {days:Array(Date)} AND answer_id IN {ids:Array(UUID)}
        ORDER BY answer, position`,
      params: { ...boundTo(load), days, ids },
      timeoutMs: 60_000,
    }),
  )
  const byAnswer = Map.groupBy(rows, ({ answer }) => answer)
  return new Map([...byAnswer].map(([id, own]) => [id, own.map(({ query }) => query)]))
}

function toAnswer(projectId: string, { id, day, text, sentiment, ...rest }: Row): StoredAnswer {
  return {
    text: String(text),
    platform: String(rest.platform),
    sentiment: sentiment === null ? null : Number(sentiment),
    shared: { ...rest, day: String(day), project_id: projectId, answer_id: String(id) },
  }
}
