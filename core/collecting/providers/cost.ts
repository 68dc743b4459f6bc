import { providerNames } from './names.ts'
import type { ProviderUsage } from './reply.ts'
import { type AskedProvider, providerTerms } from './request.ts'
import { dataForSeoPerplexity } from './search/dataforseo.ts'
import { isService, isSurfaceName, type ServiceName } from './surfaces/names.ts'
import { services } from './surfaces/services.ts'

/** The names of providers in the price list. */
export const pricedAs: Readonly<Record<AskedProvider, string | undefined>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  perplexity: 'perplexity',
  xai: 'x-ai',
  openrouter: 'openrouter',
  mistral: 'mistral',
  compatible: undefined,
  dataforseo: undefined,
  serpapi: undefined,
  cloro: undefined,
  brightdata: undefined,
  oxylabs: undefined,
  olostep: undefined,
  dataforseo_scraper: undefined,
}

/**
 * US dollars for a live page of DataForSEO. Half of it is for an overview that Google loads late, and is given back where
 * Google shows none. A page of AI Mode costs the same.
 * @see https://dataforseo.com/pricing/serp/google-organic-serp-api
 * @see https://dataforseo.com/pricing/serp/google-ai-mode-serp-api
 */
const livePage = 0.004

/**
 * US dollars for a live response of Perplexity by DataForSEO: its own price, and what a search by `sonar` costs there.
 * @see https://dataforseo.com/pricing/ai-optimization/llm-responses
 */
const liveResponse = 0.0066

/**
 * US dollars for a search, which the price list leaves out.
 * @see https://openai.com/api/pricing
 * @see https://www.anthropic.com/pricing#api
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @see https://docs.x.ai/docs/models
 * @see https://mistral.ai/pricing
 */
const searchPrices: Readonly<Partial<Record<AskedProvider, number>>> = {
  openai: 0.01,
  anthropic: 0.01,
  gemini: 0.035,
  xai: 0.005,
  mistral: 0.03,
}

/**
 * The same of OpenRouter: its own search for most models, and that of the makers who have one.
 * @see https://openrouter.ai/docs/guides/features/server-tools/web-search
 */
const openRouterPrice = (model: string) =>
  /^~?(?:openai|anthropic|x-ai|perplexity)\//.test(model) ? 0.01 : 0.007

/**
 * US dollars that Perplexity takes for a call, beside its tokens.
 * @see https://docs.perplexity.ai/getting-started/pricing
 */
const callFee = (model: string) => {
  if (model === 'sonar') return 0.005
  return /^sonar-(?:pro|reasoning)/.test(model) ? 0.006 : 0
}

const searchPrice = (provider: AskedProvider, model: string) =>
  provider === 'openrouter' ? openRouterPrice(model) : (searchPrices[provider] ?? 0)

interface TypicalAnswer {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly searches: number
}

/** What an answer with web search takes where no body is recorded. Most of it are the pages that were read. */
const typical: TypicalAnswer = { inputTokens: 12_000, outputTokens: 900, searches: 1 }

/**
 * The same by the recorded bodies of the providers. Gemini and Perplexity bill no pages, and xAI few of them.
 * `test/core/collecting/providers/cost.test.ts` compares.
 */
const typicalOf: Readonly<Partial<Record<AskedProvider, TypicalAnswer>>> = {
  openai: { inputTokens: 19_700, outputTokens: 3_800, searches: 1 },
  anthropic: { inputTokens: 27_000, outputTokens: 600, searches: 2 },
  gemini: { inputTokens: 140, outputTokens: 800, searches: 1 },
  perplexity: { inputTokens: 10, outputTokens: 300, searches: 1 },
  xai: { inputTokens: 2_000, outputTokens: 600, searches: 1 },
  openrouter: { inputTokens: 4_000, outputTokens: 400, searches: 1 },
}

/** An amount without what sums of binary fractions add: to a millionth of a dollar, as providers bill. */
export const dollars = (amount: number) => Math.round(amount * 1e6) / 1e6

type Used = Pick<ProviderUsage, 'inputTokens' | 'outputTokens' | 'searches'>

/** US dollars of tokens at list prices, without a search; null for a model without a price. */
export const tokenCost = (
  provider: AskedProvider,
  model: string,
  used: { readonly inputTokens: number; readonly outputTokens: number },
): Promise<number | null> => byTokens(provider, model, { ...used, searches: 0 })

async function byTokens(provider: AskedProvider, model: string, used: Used) {
  if (used.inputTokens === null && used.outputTokens === null) return null
  // Half a megabyte of prices, which only those that ask need.
  const { calcPrice } = await import('@pydantic/genai-prices')
  const usage = { input_tokens: used.inputTokens ?? 0, output_tokens: used.outputTokens ?? 0 }
  const providerId = pricedAs[provider]
  const price = calcPrice(usage, model, providerId === undefined ? {} : { providerId })
  if (!price) return null
  // Gemini takes one price for a grounded prompt, however often it searches.
  const listed = price.total_price
  // The list has what Perplexity takes for a call with the most context. Ours name none, which is the least.
  const isOfCalls = provider === 'perplexity' && callFee(model) > 0
  const free = isOfCalls
    ? calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { providerId: 'perplexity' })
    : null
  const ofTokens = free ? listed - free.total_price + callFee(model) : listed
  const searches = provider === 'gemini' ? Math.min(1, used.searches ?? 0) : (used.searches ?? 0)
  return dollars(ofTokens + searches * searchPrice(provider, model))
}

/**
 * US dollars of an answer: the provider's own figure, else its units at the price of the plan, else its tokens and
 * searches at list prices.
 * @param unitPrice US dollars of a unit of a service, by the plan that the key's owner states
 * @returns null where none is known
 */
export async function costOf(
  provider: AskedProvider,
  model: string,
  usage: ProviderUsage,
  unitPrice: number | null = null,
): Promise<number | null> {
  if (usage.cost !== null) return usage.cost
  if (!isService(provider)) return byTokens(provider, model, usage)
  const price = priceOfUnit(provider, unitPrice)
  return usage.units == null || price === null ? null : usage.units * price
}

/** What a unit costs by the plan that the key's owner states, else by the service's public price list. */
const priceOfUnit = (service: ServiceName, stated: number | null) =>
  stated ?? services[service].listPrice ?? null

/** The units of a service that an answer of a surface costs; null where it does not read the surface. */
export const unitsOf = (provider: AskedProvider, surface: string): number | null =>
  isService(provider) && isSurfaceName(surface) ? (services[provider].units[surface] ?? null) : null

/**
 * US dollars that an answer is likely to cost; null for a model without a price, for SerpApi, which sells plans, and for a
 * service whose plan has no stated price.
 */
export async function expectedCost(
  provider: AskedProvider,
  model: string,
  unitPrice: number | null = null,
): Promise<number | null> {
  if (isService(provider)) {
    const units = unitsOf(provider, model)
    const price = priceOfUnit(provider, unitPrice)
    return units === null || price === null ? null : units * price
  }
  if (provider === 'dataforseo') {
    return model === dataForSeoPerplexity ? liveResponse : livePage
  }
  if (provider === 'serpapi') return null
  return byTokens(provider, model, typicalOf[provider] ?? typical)
}

/** What is assumed about an expected price that no price list has, as a sentence; null where a list has it. */
export function assumptionOf(
  provider: AskedProvider,
  model: string,
  unitPrice: number | null = null,
): string | null {
  if (provider === 'dataforseo_scraper' && model === 'gemini' && unitPrice === null) {
    return 'Gemini by DataForSEO is assumed to cost what ChatGPT does.'
  }
  if (provider === 'dataforseo') {
    return model === dataForSeoPerplexity
      ? 'Perplexity by DataForSEO is assumed to make one search for an answer.'
      : null
  }
  if (isService(provider) || provider === 'serpapi') return null
  const { inputTokens, outputTokens, searches } = typicalOf[provider] ?? typical
  const [read, written] = [inputTokens, outputTokens].map((tokens) => tokens.toLocaleString('en'))
  const times = searches === 1 ? 'once' : 'twice'
  return `A model of ${providerNames[provider]} is assumed to read ${read} tokens, write ${written}, and search ${times}.`
}

/** What a key asks: its own model, or that of its provider. */
interface AskedKey {
  readonly provider: AskedProvider
  readonly model: string | null
  readonly unitPrice: number | null
}

/** US dollars that one answer of a provider key is likely to cost; null where its model has no known price. */
export async function keyCost({ provider, model, unitPrice }: AskedKey): Promise<number | null> {
  const asked = model ?? providerTerms[provider].model
  return asked === null ? null : expectedCost(provider, asked, unitPrice)
}
