import { hasAnswer } from '../../core/collecting/providers/ending.ts'
import { readReply } from '../../core/collecting/providers/read.ts'
import { type ProviderReply, withTargets } from '../../core/collecting/providers/reply.ts'
import { importAnswers } from '../answers/answers.ts'
import type { ImportStores } from '../loads/runner.ts'
import { type RawAnswer, rawAnswers } from './raw.ts'

/** Reads the body of a reply, as `readReply` does. */
export type ReplyReader = typeof readReply

/** What a kept body says; null for one that the adapters no longer read. */
export function replyOf(
  { body, redirects }: RawAnswer,
  read: ReplyReader = readReply,
): ProviderReply | null {
  try {
    const reply = read(JSON.parse(body))
    return reply && withTargets(reply, redirects)
  } catch {
    return null
  }
}

/** The answer of a reply as a line of an import. */
export function lineOf(raw: RawAnswer, reply: ProviderReply): string {
  return JSON.stringify({
    prompt: raw.prompt,
    platform: raw.platform,
    model: reply.model || raw.model,
    run: raw.repetition,
    collectedAt: raw.askedAt.toISOString(),
    text: reply.text,
    ...(raw.place && { location: raw.place }),
    searchQueries: reply.searchQueries,
    citations: reply.pages.map(({ cited, ...page }) => (cited ? page : { ...page, cited })),
    ...(reply.products && { products: reply.products }),
    ...(reply.ads && { ads: reply.ads }),
  })
}

interface CollectedRun {
  readonly projectId: string
  readonly runId: string
  /** Only the answers of these questions. */
  readonly askIds?: readonly string[]
}

/** The ids of imported answers by the questions that they answer. */
export type AnswerIds = ReadonlyMap<string, string>

/**
 * Imports the kept answers of a run, as `importAnswers` does with a file. A second call finds all of them loaded.
 * @throws {Fault} the faults of `importAnswers`
 */
export async function importCollected(stores: ImportStores, run: CollectedRun): Promise<AnswerIds> {
  const { projectId, runId } = run
  /** The question of each line. */
  const asks: string[] = []
  const ids = new Map<string, string>()
  async function* lines() {
    for await (const raw of rawAnswers(stores.warehouse, run)) {
      const reply = replyOf(raw)
      if (!reply || !hasAnswer(reply)) continue
      asks.push(raw.askId)
      yield lineOf(raw, reply)
    }
  }
  await importAnswers(stores, {
    projectId,
    file: `run ${runId}`,
    isCollected: true,
    lines: lines(),
    onIdentified: (line, answerId) => {
      const askId = asks[line - 1]
      if (askId !== undefined) ids.set(askId, answerId)
    },
  })
  return ids
}
