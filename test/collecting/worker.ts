import { collectRun } from '../../worker/collecting/collect.ts'
import { type RunTerms, runTerms } from '../../worker/collecting/terms.ts'
import type { Work } from '../../worker/job.ts'
import type { TestApi } from '../kit/api.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** A key that hardly rests after faults, and tasks that are looked at again and again. */
export const quickTerms: RunTerms = {
  ...runTerms,
  backoffMs: 1,
  mostBackoffMs: 2,
  circuitMs: 5,
  tasks: { ...runTerms.tasks, lookMs: 1, mostLookMs: 2, mostQueuedLookMs: 2, limitedMs: 1 },
}

/** A worker that does runs alone, as soon as they are sent. */
export function startCollectingWorker(
  api: TestApi,
  terms: RunTerms = quickTerms,
): Promise<TestWorker> {
  const steps = {
    run: (data: { readonly runId: string }, work: Work) => collectRun(data, work, terms),
    fail: async () => undefined,
    unfinished: async () => [],
  }
  return startTestWorker(api, { collect: steps, tasks: steps })
}
