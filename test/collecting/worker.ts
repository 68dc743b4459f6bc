import { collectRun } from '../../work/collecting/collect.ts'
import { type LaneTerms, laneTerms } from '../../work/collecting/lane.ts'
import type { TestApi } from '../kit/api.ts'
import { startTestWorker, type TestWorker } from '../kit/worker.ts'

/** A key that hardly rests after faults. */
export const quickTerms: LaneTerms = { ...laneTerms, backoffMs: 1, mostBackoffMs: 2, circuitMs: 5 }

/** A worker that does runs alone, as soon as they are sent. */
export function startCollectingWorker(
  api: TestApi,
  terms: LaneTerms = quickTerms,
): Promise<TestWorker> {
  return startTestWorker(api, {
    collect: {
      run: ({ runId }, work) => collectRun(runId, work, terms),
      fail: async () => undefined,
      unfinished: async () => [],
    },
  })
}
