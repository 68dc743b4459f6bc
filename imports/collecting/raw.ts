import { randomUUID } from 'node:crypto'
import type { Place } from '../../core/collecting/providers/place.ts'
import { adapterVersion } from '../../core/collecting/providers/read.ts'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { inGroups } from '../../core/load/in-groups.ts'
import { utcDayOf } from '../../core/window.ts'
import type { Ask, Run } from '../../prisma/generated/client.ts'
import { insert, run, type Warehouse } from '../../warehouse/run.ts'
import { timestamp } from '../answers/rows.ts'
import { withRetries } from '../loads/insert-batches.ts'
import type { ProviderAnswer } from './ask.ts'

/** The body of a provider for one question of a run. */
export interface RawAnswer {
  readonly projectId: string
  readonly runId: string
  readonly askId: string
  readonly askedAt: Date
  readonly prompt: string
  readonly provider: AskedProvider
  readonly platform: string
  readonly model: string
  readonly repetition: number
  /** Where the question was asked from; null for no place. */
  readonly place: Place | null
  readonly adapterVersion: number
  readonly body: string
  /** Pages by the redirects of the body. */
  readonly redirects: Readonly<Record<string, string>>
}

const rowOf = (raw: RawAnswer) => ({
  project_id: raw.projectId,
  run_id: raw.runId,
  ask_id: raw.askId,
  day: utcDayOf(raw.askedAt),
  asked_at: timestamp(raw.askedAt),
  prompt: raw.prompt,
  provider: raw.provider,
  platform: raw.platform,
  model: raw.model,
  repetition: raw.repetition,
  adapter_version: raw.adapterVersion,
  body: raw.body,
  place: raw.place ? JSON.stringify(raw.place) : '',
  redirects: raw.redirects,
})

/** What a provider answered to a question of a run. */
export function rawOf(
  { projectId, id: runId }: Run,
  ask: Ask,
  askedAt: Date,
  { raw, redirects }: Pick<ProviderAnswer, 'raw' | 'redirects'>,
): RawAnswer {
  const { id: askId, prompt, provider, platform, model, repetition } = ask
  return {
    projectId,
    runId,
    askId,
    askedAt,
    prompt,
    provider,
    platform,
    model,
    repetition,
    place: ask.place as Place | null,
    adapterVersion,
    body: raw,
    redirects,
  }
}

/** An insert waits for the disk: bodies that come meanwhile share the next one. */
const keepers = new WeakMap<Warehouse, (raw: RawAnswer) => Promise<undefined>>()

/**
 * Keeps a body. When this returns, the body survives a power cut.
 * @throws {Fault} 502 when the warehouse stays away
 */
export async function keepRaw(warehouse: Warehouse, raw: RawAnswer): Promise<void> {
  const keep =
    keepers.get(warehouse) ??
    inGroups(async (group: readonly RawAnswer[]) => {
      const rows = group.map(rowOf)
      // Each try has a token of its own: a crash may lose the rows of a try, and leave its token. Rows that come twice are
      // read once.
      await withRetries(() =>
        insert(warehouse, { table: 'raw_answers', rows, token: `raw:${randomUUID()}` }),
      )
      return group.map(() => undefined)
    })
  keepers.set(warehouse, keep)
  await keep(raw)
}

/** Bodies that memory holds at a time. */
export const pageRows = 100

/** The bodies of a run, or some of them. */
export interface RawSelection {
  readonly projectId: string
  readonly runId: string
  /** Only those of these questions. */
  readonly askIds?: readonly string[] | undefined
  /** Only those of this provider. */
  readonly provider?: AskedProvider | undefined
}

/**
 * The kept bodies of a run in the order of their questions, one for each: the first that came.
 */
export async function* rawAnswers(
  warehouse: Warehouse,
  { projectId, runId, askIds, provider }: RawSelection,
): AsyncGenerator<RawAnswer, void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const params = {
      projectId,
      runId,
      after,
      limit: pageRows,
      ...(askIds && { askIds }),
      ...(provider && { provider }),
    }
    const only = [
      ...(askIds ? ['AND ask_id IN {askIds:Array(UUID)}'] : []),
      ...(provider ? ['AND raw_answers.provider = {provider:String}'] : []),
    ].join(' ')
    const page = await withRetries(() =>
      run<RawAnswer>(warehouse, {
        id: 'collecting.raw',
        sql: `SELECT toString(ask_id) AS askId, toString(asked_at) AS askedAt, prompt,
                 toString(provider) AS provider, toString(platform) AS platform,
                 toString(model) AS model, repetition, adapter_version AS adapterVersion, place, body, redirects
            FROM raw_answers
           WHERE project_id = {projectId:UUID} AND run_id = {runId:UUID}
             AND ask_id > {after:UUID} ${only}
           ORDER BY raw_answers.ask_id, raw_answers.asked_at
           LIMIT 1 BY raw_answers.ask_id
           LIMIT {limit:UInt32}`,
        params,
        row: (raw) => ({
          projectId,
          runId,
          askId: String(raw.askId),
          prompt: String(raw.prompt),
          // Only our own code writes this table.
          provider: raw.provider as AskedProvider,
          platform: String(raw.platform),
          model: String(raw.model),
          body: String(raw.body),
          redirects: raw.redirects as RawAnswer['redirects'],
          repetition: Number(raw.repetition),
          adapterVersion: Number(raw.adapterVersion),
          place: raw.place === '' ? null : (JSON.parse(String(raw.place)) as Place),
          askedAt: new Date(`${String(raw.askedAt).replace(' ', 'T')}Z`),
        }),
      }),
    )
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    after = last.askId
  }
}
