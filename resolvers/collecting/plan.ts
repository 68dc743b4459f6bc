import { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { platformId } from '../../core/platforms.ts'
import { expectedCost } from '../../core/providers/cost.ts'
import { type AskedProvider, providerTerms } from '../../core/providers/request.ts'
import type { Db } from '../../prisma/client.ts'
import { isUuid } from '../shared/ids.ts'
import { check } from '../shared/inputs.ts'

const mostRepetitions = 20
const mostAsks = 100_000

const selectionSchema = z.object({
  repetitions: z.number().int().min(1).max(mostRepetitions).nullish(),
})

/** What a run asks. */
export interface RunSelection {
  /** Default: all prompts that are tracked. */
  readonly promptIds?: readonly string[] | null | undefined
  /** Labels of provider keys of the workspace. Default: all. */
  readonly keys?: readonly string[] | null | undefined
  /** 1 to 20; default 1. */
  readonly repetitions?: number | null | undefined
}

interface Target {
  readonly keyId: string
  readonly provider: AskedProvider
  readonly platform: string
  readonly model: string
  /** US dollars for one question; null where no price is known. */
  readonly price: number | null
}

export interface RunPlan {
  readonly prompts: readonly { readonly id: string; readonly text: string }[]
  readonly targets: readonly Target[]
  readonly repetitions: number
  readonly asks: number
  /** US dollars; null where one of the prices is unknown. */
  readonly expectedCost: number | null
}

/** The platform that answers of a provider's API count for. */
const platforms: Readonly<Record<Exclude<AskedProvider, 'compatible'>, string>> = {
  openai: 'chatgpt',
  anthropic: 'claude',
  gemini: 'gemini',
  perplexity: 'perplexity',
  xai: 'grok',
}

function platformOf(provider: AskedProvider, model: string, label: string): string {
  if (provider !== 'compatible') return platforms[provider]
  // OpenRouter writes the maker before the model, and how to search behind it.
  const name = model.split('/').at(-1)?.split(':')[0] ?? model
  return platformId(name) ?? platformId(label) ?? label
}

async function promptsOf(db: Db, projectId: string, ids: RunSelection['promptIds']) {
  const select = { id: true, text: true } as const
  const orderBy = { id: 'asc' } as const
  if (!ids) return db.prompt.findMany({ where: { projectId, isTracked: true }, select, orderBy })
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const known = wanted.filter(isUuid)
  const found = await db.prompt.findMany({
    where: { projectId, id: { in: known } },
    select,
    orderBy,
  })
  const missing = wanted.find((id) => !found.some((prompt) => prompt.id === id))
  if (missing !== undefined) throw invalid('promptIds', 'must name prompts of the project', missing)
  return found
}

async function targetsOf(db: Db, workspaceId: string, labels: RunSelection['keys']) {
  const rows = await db.providerKey.findMany({
    where: { workspaceId },
    select: { id: true, provider: true, label: true, model: true },
    orderBy: { label: 'asc' },
  })
  const missing = labels?.find((label) => !rows.some((row) => row.label === label))
  if (missing !== undefined) {
    throw invalid('keys', 'must name provider keys of the workspace by their labels', missing)
  }
  const chosen = labels ? rows.filter(({ label }) => labels.includes(label)) : rows
  return Promise.all(
    chosen.map(async ({ id: keyId, provider, label, ...row }): Promise<Target> => {
      const model = row.model ?? providerTerms[provider].model ?? ''
      const price = await expectedCost(provider, model)
      return { keyId, provider, platform: platformOf(provider, model, label), model, price }
    }),
  )
}

/**
 * What a run would ask and cost. Asks nothing.
 * @throws {Fault} `invalid_argument`
 */
export async function planRun(
  db: Db,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
  { promptIds, keys, ...input }: RunSelection,
): Promise<RunPlan> {
  const repetitions = check(selectionSchema, input).repetitions ?? 1
  const [prompts, targets] = await Promise.all([
    promptsOf(db, id, promptIds),
    targetsOf(db, workspaceId, keys),
  ])
  const asks = prompts.length * targets.length * repetitions
  if (asks > mostAsks) {
    throw invalid(
      'promptIds',
      `make ${asks} questions with these keys and repetitions; the most are ${mostAsks}`,
    )
  }
  const each = targets.map(({ price }) => price)
  const sum = each.includes(null) ? null : each.reduce<number>((all, one) => all + (one ?? 0), 0)
  const cost = sum === null ? null : sum * prompts.length * repetitions
  return { prompts, targets, repetitions, asks, expectedCost: cost }
}
