import type { Verdict } from '../../core/text/judge/prompt.ts'
import { command, insert, run, type Warehouse } from '../../warehouse/run.ts'
import { timestamp } from '../answers/rows.ts'
import { boundTo, type VisibleAnswers, visible } from '../answers/stored.ts'
import { withRetries } from '../loads/insert-batches.ts'

/** The mentions that readers see, and the judge that rates them. */
export interface Judged extends VisibleAnswers {
  readonly analysis: number
  readonly version: string
  /** Only mentions of these loads. */
  readonly since: LoadsSince
}

/** Loads after a number, but for some; all loads are after 0. */
export interface LoadsSince {
  readonly afterLoad: number
  readonly except: readonly number[]
}

/** An answer with mentions that the judge has not rated. */
export interface PendingAnswer {
  readonly answerId: string
  readonly day: string
  readonly brandIds: readonly string[]
}

/** A row of `judgements`, but for the columns of `Judged`. */
export interface Judgement {
  readonly day: string
  readonly answer_id: string
  readonly brand_id: string
  readonly passage_hash: string
  readonly verdict: Verdict
  readonly sentiment: number | null
  readonly load_seq: number
}

const timeoutMs = 60_000

const judgedBy = ({ analysis, version, since, ...visibleTo }: Judged) => ({
  ...boundTo(visibleTo),
  analysis,
  version,
  ...since,
})

const unrated = `${visible} AND analysis = {analysis:UInt32} AND load_seq > {afterLoad:UInt32}
           AND load_seq NOT IN {except:Array(UInt32)}
           AND (answer_id, brand_id) NOT IN (
             SELECT answer_id, brand_id FROM judgements
              WHERE project_id = {projectId:UUID} AND judge_version = {version:String}
                AND analysis = {analysis:UInt32})`

/** The mentions of a version that has not rated them, and their answers. */
export async function countPending(
  warehouse: Warehouse,
  judged: Judged,
): Promise<{ readonly answers: number; readonly mentions: number }> {
  const [row] = await run<{ answers: number; mentions: number }>(warehouse, {
    id: 'judge.count',
    sql: `SELECT uniqExact(answer_id) AS answers, count() AS mentions FROM mentions WHERE ${unrated}`,
    params: judgedBy(judged),
    timeoutMs,
  })
  return row ?? { answers: 0, mentions: 0 }
}

/** Answers with unrated mentions after a place in the order, the newest day first. */
export function pendingAnswers(
  warehouse: Warehouse,
  judged: Judged,
  after: Pick<PendingAnswer, 'answerId' | 'day'>,
  limit: number,
): Promise<PendingAnswer[]> {
  return withRetries(() =>
    run<PendingAnswer>(warehouse, {
      id: 'judge.pending',
      sql: `SELECT toString(answer_id) AS answerId, toString(day) AS day,
               groupArray(toString(brand_id)) AS brandIds
          FROM mentions
         WHERE ${unrated} AND mentions.day <= {after:Date}
           AND (mentions.day, answer_id) < ({after:Date}, {answer:UUID})
         GROUP BY mentions.day, answer_id
         ORDER BY mentions.day DESC, answer_id DESC
         LIMIT {limit:UInt32}`,
      params: { ...judgedBy(judged), after: after.day, answer: after.answerId, limit },
      timeoutMs,
    }),
  )
}

/** Texts of the newest answers. */
export function newestAnswers(
  warehouse: Warehouse,
  judged: Judged,
  limit: number,
): Promise<{ readonly text: string; readonly platform: string }[]> {
  return run(warehouse, {
    id: 'judge.newest',
    sql: `SELECT text, toString(platform) AS platform FROM answers
         WHERE ${visible} AND id IN (
           SELECT id FROM answers WHERE ${visible} ORDER BY day DESC, id LIMIT {limit:UInt32})`,
    params: { ...judgedBy(judged), limit },
    timeoutMs,
  })
}

/** The text of an answer, with what its judgements share with it. */
export interface AnswerToJudge {
  readonly id: string
  readonly text: string
  readonly platform: string
  readonly loadSeq: number
}

export async function answersToJudge(
  warehouse: Warehouse,
  judged: Judged,
  pending: readonly PendingAnswer[],
): Promise<ReadonlyMap<string, AnswerToJudge>> {
  const rows = await withRetries(() =>
    run<AnswerToJudge>(warehouse, {
      id: 'judge.answers',
      sql: `SELECT toString(id) AS id, text, toString(platform) AS platform, load_seq AS loadSeq
          FROM answers
         WHERE ${visible} AND day IN {days:Array(Date)} AND answers.id IN {ids:Array(UUID)}`,
      params: {
        ...judgedBy(judged),
        days: [...new Set(pending.map(({ day }) => day))],
        ids: pending.map(({ answerId }) => answerId),
      },
      timeoutMs,
    }),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What this version of the judge said of passages, in any analysis. */
export async function knownVerdicts(
  warehouse: Warehouse,
  judged: Judged,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Verdict>> {
  if (hashes.length === 0) return new Map()
  const rows = await withRetries(() =>
    run<{ hash: string; verdict: Verdict }>(warehouse, {
      id: 'judge.known',
      sql: `SELECT passage_hash AS hash, argMax(toString(verdict), judged_at) AS verdict
          FROM judgements
         WHERE project_id = {projectId:UUID} AND judge_version = {version:String}
           AND passage_hash IN {hashes:Array(String)}
         GROUP BY hash`,
      params: { ...judgedBy(judged), hashes },
      timeoutMs,
    }),
  )
  return new Map(rows.map(({ hash, verdict }) => [hash, verdict]))
}

/** @param token names these rows: a second insert of them changes nothing */
export async function writeJudgements(
  warehouse: Warehouse,
  { projectId, analysis, version }: Judged,
  rows: readonly Judgement[],
  token: string,
): Promise<void> {
  if (rows.length === 0) return
  const shared = {
    project_id: projectId,
    analysis,
    judge_version: version,
    judged_at: timestamp(new Date()),
  }
  const complete = rows.map((row) => ({ ...row, ...shared }))
  await withRetries(() => insert(warehouse, { table: 'judgements', rows: complete, token }))
}

/** Records that all mentions of the analysis were asked about. Reports show this version from now on. */
export async function writeRun(
  warehouse: Warehouse,
  { projectId, analysis, version }: Judged,
  counts: { readonly judged: number; readonly failed: number },
  token: string,
): Promise<void> {
  const row = {
    project_id: projectId,
    analysis,
    judge_version: version,
    ...counts,
    finished_at: timestamp(new Date()),
  }
  await withRetries(() => insert(warehouse, { table: 'judge_runs', rows: [row], token }))
}

/** Removes the rows of a project: those of other analyses, or all. */
export async function dropJudgements(
  warehouse: Warehouse,
  projectId: string,
  { but }: { readonly but: number | null },
): Promise<void> {
  const where = `WHERE project_id = {projectId:UUID}${but === null ? '' : ' AND analysis != {but:UInt32}'}`
  const params = { projectId, ...(but === null ? {} : { but }) }
  for (const table of but === null ? ['judgements', 'judge_runs'] : ['judgements']) {
    const found = await run(warehouse, {
      id: 'judge.old',
      params,
      row: () => true,
      sql: `SELECT 1 FROM ${table} ${where} LIMIT 1`,
    })
    if (found.length === 0) continue
    await command(warehouse, {
      id: 'judge.drop',
      params,
      timeoutMs,
      sql: `DELETE FROM ${table} ${where} SETTINGS lightweight_deletes_sync = 0`,
    })
  }
}
