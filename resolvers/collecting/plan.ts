import { z } from 'zod'
import { assumptionOf, dollars, expectedCost } from '../../core/collecting/providers/cost.ts'
import { providerNames } from '../../core/collecting/providers/names.ts'
import type { Place } from '../../core/collecting/providers/place.ts'
import { type AskedProvider, providerTerms } from '../../core/collecting/providers/request.ts'
import { isSurface, placeName } from '../../core/collecting/providers/search/google.ts'
import {
  isService,
  isSurfaceName,
  type SurfaceName,
  surfacePlatforms,
} from '../../core/collecting/providers/surfaces/names.ts'
import { services } from '../../core/collecting/providers/surfaces/services.ts'
import { invalid } from '../../core/errors.ts'
import { platformId } from '../../core/platforms.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import { check } from '../shared/inputs.ts'
import { measuredPrices } from './measured.ts'

const mostRepetitions = 20
const mostAsks = 100_000

const isLanguage = (text: string) => {
  try {
    return (
      new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(text) !== undefined
    )
  } catch {
    return false
  }
}

export const selectionFields = {
  repetitions: z.number().int().min(1).max(mostRepetitions).nullish(),
  language: z
    .string()
    .refine(isLanguage, 'must be the BCP 47 tag of a language, such as `de`')
    .nullish(),
}
const selectionSchema = z.object(selectionFields)

/** What a run asks. */
export interface RunSelection {
  /** Prompts beside those of `topicIds`. Default, without topics: all prompts that are tracked. */
  readonly promptIds?: readonly string[] | null | undefined
  /** Topics whose tracked prompts are asked. */
  readonly topicIds?: readonly string[] | null | undefined
  /** Locations to ask from. Default: no place. */
  readonly locationIds?: readonly string[] | null | undefined
  /** BCP 47 tag of the language to answer in. Default: the assistant decides. */
  readonly language?: string | null | undefined
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
  /** US dollars of a unit of a service; null for other providers, and without a stated plan. */
  readonly unitPrice: number | null
  /** US dollars for one question; null where no price is known. */
  readonly price: number | null
  /** Whether that is what answers of the workspace cost, and not an estimate. */
  readonly isMeasured: boolean
}

/** Where a run asks from. */
export interface AskedPlace extends Place {
  readonly locationId: string
}

export interface RunPlan {
  readonly prompts: readonly { readonly id: string; readonly text: string }[]
  readonly targets: readonly Target[]
  /** Null for no place. */
  readonly places: readonly (AskedPlace | null)[]
  readonly repetitions: number
  readonly language: string | null
  readonly asks: number
  /** US dollars; null where one of the prices is unknown. */
  readonly expectedCost: number | null
  /** What is assumed about the expected cost, as sentences. */
  readonly assumptions: readonly string[]
}

/** The platform that answers of a provider's API count for. */
const platforms: Readonly<Partial<Record<AskedProvider, string>>> = {
  openai: 'chatgpt',
  anthropic: 'claude',
  gemini: 'gemini',
  perplexity: 'perplexity',
  xai: 'grok',
  mistral: 'mistral',
}

function platformOf(provider: AskedProvider, model: string, label: string): string {
  const isOfSurface = isService(provider) ? isSurfaceName(model) : isSurface(model)
  const known = isOfSurface ? surfacePlatforms[model as SurfaceName] : platforms[provider]
  if (known !== undefined && provider !== 'compatible') return known
  // OpenRouter writes the maker before the model, and how to search behind it.
  const name = model.split('/').at(-1)?.split(':')[0] ?? model
  return platformId(name) ?? platformId(label) ?? label
}

/** The ids in lower case, each once. @throws {Fault} `invalid_argument` for one that is not `found` */
async function requireAll<Row extends { readonly id: string }>(
  name: string,
  ids: readonly string[],
  what: string,
  find: (known: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const rows = await find(wanted.filter(isUuid))
  const missing = wanted.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) throw invalid(name, `must name ${what} of the project`, missing)
  return rows
}

async function promptsOf(db: Db, projectId: string, { promptIds, topicIds }: RunSelection) {
  const select = { id: true, text: true } as const
  const orderBy = { id: 'asc' } as const
  const tracked = { projectId, isTracked: true }
  if (!promptIds && !topicIds) return db.prompt.findMany({ where: tracked, select, orderBy })
  const topics = await requireAll('topicIds', topicIds ?? [], 'topics', (known) =>
    db.topic.findMany({ where: { projectId, id: { in: known } }, select: { id: true } }),
  )
  const ofTopics = { topics: { some: { topicId: { in: topics.map(({ id }) => id) } } } }
  const [named, inTopics] = await Promise.all([
    requireAll('promptIds', promptIds ?? [], 'prompts', (known) =>
      db.prompt.findMany({ where: { projectId, id: { in: known } }, select, orderBy }),
    ),
    topics.length === 0
      ? []
      : db.prompt.findMany({ where: { ...tracked, ...ofTopics }, select, orderBy }),
  ])
  const all = new Map([...named, ...inTopics].map((prompt) => [prompt.id, prompt]))
  return [...all.values()]
}

async function placesOf(db: Db, projectId: string, ids: RunSelection['locationIds']) {
  if (!ids || ids.length === 0) return [null]
  const rows = await requireAll('locationIds', ids, 'locations', (known) =>
    db.location.findMany({ where: { projectId, id: { in: known } }, orderBy: { label: 'asc' } }),
  )
  return rows.map(({ id: locationId, countryCode, city, region }): AskedPlace => {
    return { locationId, countryCode, city, region }
  })
}

/** What each provider key asks; all of the workspace unless labels choose. @throws {Fault} `invalid_argument` for an unknown label */
export async function targetsOf(db: Db, workspaceId: string, labels: RunSelection['keys']) {
  const rows = await db.providerKey.findMany({
    where: { workspaceId },
    select: {
      id: true,
      provider: true,
      label: true,
      model: true,
      surfaces: true,
      unitPrice: true,
    },
    orderBy: { label: 'asc' },
  })
  const missing = labels?.find((label) => !rows.some((row) => row.label === label))
  if (missing !== undefined) {
    throw invalid('keys', 'must name provider keys of the workspace by their labels', missing)
  }
  const measured = await measuredPrices(db, workspaceId)
  const chosen = labels ? rows.filter(({ label }) => labels.includes(label)) : rows
  return Promise.all(
    chosen.flatMap(({ id: keyId, provider, label, unitPrice, ...row }) => {
      const own = [row.model ?? providerTerms[provider].model ?? '']
      const models = row.surfaces.length > 0 ? row.surfaces : own
      return models.map(async (model): Promise<Target> => {
        // A service's units have the price of the plan, which may be another than before.
        const found = isService(provider) ? null : measured(provider, model)
        const price = found ?? (await expectedCost(provider, model, unitPrice))
        const platform = platformOf(provider, model, label)
        return { keyId, provider, platform, model, unitPrice, price, isMeasured: found !== null }
      })
    }),
  )
}

/**
 * Refuses what a service cannot do, before a run is paid for.
 * @throws {Fault} `invalid_argument`
 */
function refuseUnreachable(
  targets: readonly Target[],
  places: readonly (AskedPlace | null)[],
  language: string | null,
): void {
  for (const { provider, model } of targets) {
    if (!isService(provider) || !isSurfaceName(model)) continue
    const name = providerNames[provider]
    if (language !== null && !services[provider].knowsLanguages) {
      const rule = `must be left out for ${name}, which has no parameter for it: surfaces answer in the language of the prompt`
      throw invalid('language', rule, language)
    }
    const precise = places.find((place) => place && (place.city ?? place.region))
    if (!precise || services[provider].placeOf(model) === 'city') continue
    throw invalid(
      'locationIds',
      `must be countries for ${name}, which knows no cities: the nearest to ${precise.city ?? precise.region} is ${placeName({ ...precise, city: null, region: null })}`,
    )
  }
}

/**
 * What a run would ask and cost. Asks nothing.
 * @throws {Fault} `invalid_argument`
 */
export async function planRun(
  db: Db,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
  selection: RunSelection,
): Promise<RunPlan> {
  const { repetitions: times, language: tag } = selection
  const { repetitions, language } = check(selectionSchema, { repetitions: times, language: tag })
  const [prompts, targets, places] = await Promise.all([
    promptsOf(db, id, selection),
    targetsOf(db, workspaceId, selection.keys),
    placesOf(db, id, selection.locationIds),
  ])
  refuseUnreachable(targets, places, language ?? null)
  const each = prompts.length * places.length * (repetitions ?? 1)
  const asks = each * targets.length
  if (asks > mostAsks) {
    throw invalid(
      'promptIds',
      `make ${asks} questions with these keys, places and repetitions; the most are ${mostAsks}`,
    )
  }
  const prices = targets.map(({ price }) => price)
  const sum = prices.includes(null)
    ? null
    : prices.reduce<number>((all, one) => all + (one ?? 0), 0)
  return {
    prompts,
    targets,
    places,
    asks,
    repetitions: repetitions ?? 1,
    language: language ?? null,
    expectedCost: sum === null ? null : dollars(sum * each),
    assumptions: [
      ...new Set(
        targets.flatMap(({ provider, model, price, unitPrice, isMeasured }) =>
          price === null || isMeasured ? [] : (assumptionOf(provider, model, unitPrice) ?? []),
        ),
      ),
    ],
  }
}
