import { dollars } from '../../core/collecting/providers/cost.ts'
import type { AskedProvider } from '../../core/collecting/providers/request.ts'
import { type DateRange, resolveWindow, type WindowArgs, yearWindow } from '../../core/window.ts'
import { groupByProject } from '../shared/by-project.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { costByPrompt, costByProvider } from './spending.sql.ts'

/** What some questions cost. */
interface Cost {
  readonly projectId: string
  readonly questions: number
  /** Questions without a known cost, such as those that failed. */
  readonly unpriced: number
  /** US dollars. */
  readonly cost: number
}

export interface ProviderCost extends Cost {
  readonly provider: AskedProvider
  readonly model: string
}

export interface PromptCost extends Cost {
  readonly promptId: string
  readonly prompt: string
}

export interface CollectingCost {
  readonly dateRange: DateRange
  readonly questions: number
  readonly cost: number
  readonly providers: readonly ProviderCost[]
  readonly prompts: readonly PromptCost[]
}

/** What the questions of each project cost that ended in the window. */
export async function collectingCosts(
  scopes: readonly ProjectScope[],
  args: WindowArgs,
): Promise<CollectingCost[]> {
  const [first] = scopes
  if (first === undefined) return []
  const dateRange = resolveWindow(args, yearWindow, first.now)
  const ids = scopes.map(({ project }) => project.id)
  const read = <Row>(sql: string) =>
    first.db.$queryRawUnsafe<Row[]>(sql, ids, dateRange.from, dateRange.to)
  const [providers, prompts] = await Promise.all([
    read<ProviderCost>(costByProvider),
    read<PromptCost>(costByPrompt),
  ])
  const ofProviders = groupByProject(ids, providers)
  const ofPrompts = groupByProject(ids, prompts)
  return ids.map((_id, at) => {
    const own = ofProviders[at] ?? []
    return {
      dateRange,
      questions: own.reduce((sum, { questions }) => sum + questions, 0),
      cost: dollars(own.reduce((sum, { cost }) => sum + cost, 0)),
      providers: own,
      prompts: ofPrompts[at] ?? [],
    }
  })
}
