import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { Piscina } from 'piscina'
import type { Brand } from '../../core/text/mentions.ts'
import {
  type AnalysableAnswer,
  type AnalysisTask,
  analyse,
  type CountedMention,
} from './analysis-thread.ts'

/** Counts the brands that answers name: a list for each answer, in their order. */
export type Analysis = (answers: readonly AnalysableAnswer[]) => Promise<CountedMention[][]>

/** Texts of a task, and texts that are counted without a thread: what a person adds by hand starts none. */
const charactersOfTask = 64 * 1024

const threads = Math.max(1, availableParallelism() - 1)

/** Threads that have had nothing to do for so long end, and give their memory back. */
const idleMs = 60_000

let pool: Piscina<AnalysisTask, CountedMention[][]> | undefined

function openPool(): Piscina<AnalysisTask, CountedMention[][]> {
  pool ??= new Piscina({
    filename: new URL('./analysis-thread.ts', import.meta.url).href,
    name: analyse.name,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    execArgv: [],
  })
  return pool
}

/** Lists of at most `charactersOfTask`, or of one longer answer. */
function* tasksOf(answers: readonly AnalysableAnswer[]): Generator<AnalysableAnswer[], void> {
  let task: AnalysableAnswer[] = []
  let characters = 0
  for (const { text, platform } of answers) {
    if (task.length > 0 && characters + text.length > charactersOfTask) {
      yield task
      ;[task, characters] = [[], 0]
    }
    // Not the answer as it came: all that it has would be copied to the thread.
    task.push({ text, platform })
    characters += text.length
  }
  if (task.length > 0) yield task
}

/**
 * Opens the analysis of answers for some brands. Many or long answers are counted in threads of the process, so that
 * requests do not wait for them.
 * @param withTone whether the opinions are read too, which takes most of the time
 */
export function openAnalysis(
  brands: readonly Brand[],
  { withTone = true }: { readonly withTone?: boolean } = {},
): Analysis {
  const shared = { brandsId: randomUUID(), brands, withTone }
  return async (answers) => {
    const tasks = [...tasksOf(answers)].map((texts) => ({ ...shared, answers: texts }))
    if (answers.reduce((sum, { text }) => sum + text.length, 0) > charactersOfTask) {
      const threaded = openPool()
      return (await Promise.all(tasks.map((task) => threaded.run(task)))).flat()
    }
    await letOthersRun()
    return (await Promise.all(tasks.map(analyse))).flat()
  }
}
