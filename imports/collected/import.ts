import { readReply } from '../../core/providers/read.ts'
import { type ProviderReply, withTargets } from '../../core/providers/reply.ts'
import type { Warehouse } from '../../warehouse/run.ts'
import { importAnswers } from '../answers/answers.ts'
import type { ImportResult, ImportStores } from '../loads/runner.ts'
import { type RawAnswer, rawAnswers } from './raw.ts'

/** What a kept body says; null for one that the adapters no longer read. */
export function replyOf({ body, redirects }: RawAnswer): ProviderReply | null {
  try {
    const reply = readReply(JSON.parse(body))
    return reply && withTargets(reply, redirects)
  } catch {
    return null
  }
}

export const hasAnswer = ({ outcome }: ProviderReply) =>
  outcome === 'answered' || outcome === 'cut_off'

async function* linesOf(warehouse: Warehouse, run: { projectId: string; runId: string }) {
  for await (const raw of rawAnswers(warehouse, run)) {
    const reply = replyOf(raw)
    if (!reply || !hasAnswer(reply)) continue
    yield JSON.stringify({
      ...{ prompt: raw.prompt, platform: raw.platform, model: reply.model || raw.model },
      ...{ run: raw.repetition, collectedAt: raw.askedAt.toISOString(), text: reply.text },
      searchQueries: reply.searchQueries,
      citations: reply.pages.map(({ cited, ...page }) => (cited ? page : { ...page, cited })),
    })
  }
}

/**
 * Imports the kept answers of a run, as `importAnswers` does with a file. A second call finds all of them loaded.
 * @throws {Fault} the faults of `importAnswers`
 */
export function importCollected(
  stores: ImportStores,
  run: { readonly projectId: string; readonly runId: string },
): Promise<ImportResult> {
  const { projectId, runId } = run
  const lines = linesOf(stores.warehouse, run)
  return importAnswers(stores, { projectId, lines, file: `run ${runId}` })
}
