import { type AskedFrom, anywhere, hintOf, userLocation } from './place.ts'
import type { Endpoint, ProviderRequest, Question } from './question.ts'
import { dataForSeoPerplexity, dataForSeoRequest } from './search/dataforseo.ts'
import { surfaces } from './search/google.ts'
import { serpApiRequest } from './search/serpapi.ts'
import { isService } from './surfaces/names.ts'
import { services, surfacesOf } from './surfaces/services.ts'

/**
 * The providers that Sightline asks. `compatible` is any other endpoint for chat completions. DataForSEO
 * and SerpApi sell pages of Google. The last five are services that read surfaces in real sessions.
 */
export const askedProviders = [
  'openai',
  'anthropic',
  'gemini',
  'perplexity',
  'xai',
  'openrouter',
  'mistral',
  'compatible',
  'dataforseo',
  'serpapi',
  'cloro',
  'brightdata',
  'oxylabs',
  'olostep',
  'dataforseo_scraper',
] as const
export type AskedProvider = (typeof askedProviders)[number]

interface Terms {
  /** Null where the key must name it. */
  readonly baseUrl: string | null
  readonly model: string | null
}

/** What a key that names neither address nor model stands for. */
export const providerTerms: Readonly<Record<AskedProvider, Terms>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5' },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-2.5-flash',
  },
  perplexity: { baseUrl: 'https://api.perplexity.ai', model: 'sonar' },
  xai: { baseUrl: 'https://api.x.ai/v1', model: 'grok-4-fast' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', model: 'openai/gpt-5-mini' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-medium-latest' },
  compatible: { baseUrl: null, model: null },
  dataforseo: { baseUrl: 'https://api.dataforseo.com/v3', model: 'ai_overviews' },
  serpapi: { baseUrl: 'https://serpapi.com', model: 'ai_overviews' },
  cloro: { baseUrl: 'https://api.cloro.dev/v1', model: 'chatgpt' },
  brightdata: { baseUrl: 'https://api.brightdata.com', model: 'chatgpt' },
  oxylabs: { baseUrl: 'https://data.oxylabs.io', model: 'chatgpt' },
  olostep: { baseUrl: 'https://api.olostep.com/v1', model: 'chatgpt' },
  dataforseo_scraper: { baseUrl: 'https://api.dataforseo.com/v3', model: 'chatgpt' },
}

/** The models that a key may name, of a provider that has no others; null where the provider decides. */
export function modelsOf(provider: AskedProvider): readonly string[] | null {
  if (isService(provider)) return surfacesOf(provider)
  if (provider === 'dataforseo') return [...surfaces, dataForSeoPerplexity]
  return provider === 'serpapi' ? surfaces : null
}

/** A key for a provider, ready to ask with. */
export interface ProviderAccess extends Endpoint {
  readonly provider: AskedProvider
}

const mostTokens = 4096
/** The least that OpenAI takes. */
const fewTokens = 16
const mostSearches = 5

/** The place as a search tool takes it. */
function placed({ place }: AskedFrom) {
  return place ? { user_location: { type: 'approximate', ...userLocation(place) } } : {}
}

/** The hint of what the API has no parameter for. */
const languageHint = ({ language }: AskedFrom) => hintOf({ place: null, language })

function responsesBody({ provider, model }: ProviderAccess, { prompt, from, isTest }: Question) {
  const shared = { model, input: prompt, store: false }
  if (isTest) return { ...shared, max_output_tokens: fewTokens }
  const isOpenAi = provider === 'openai'
  const hint = isOpenAi ? languageHint(from) : hintOf(from)
  return {
    ...shared,
    ...(hint && { instructions: hint }),
    tools: [{ type: 'web_search', ...(isOpenAi && placed(from)) }],
    ...(isOpenAi && { include: ['web_search_call.action.sources'] }),
  }
}

function messagesBody({ model }: ProviderAccess, { prompt, from, isTest }: Question) {
  const messages = [{ role: 'user', content: prompt }]
  if (isTest) return { model, max_tokens: fewTokens, messages }
  const tool = { type: 'web_search_20250305', name: 'web_search', max_uses: mostSearches }
  const hint = languageHint(from)
  const tools = [{ ...tool, ...placed(from) }]
  return { model, max_tokens: mostTokens, ...(hint && { system: hint }), messages, tools }
}

function contentBody({ prompt, from, isTest }: Question) {
  const contents = [{ role: 'user', parts: [{ text: prompt }] }]
  if (isTest) return { contents, generationConfig: { maxOutputTokens: fewTokens } }
  const hint = hintOf(from)
  const system = hint && { systemInstruction: { parts: [{ text: hint }] } }
  return { contents, ...system, tools: [{ google_search: {} }] }
}

function chatBody({ provider, model }: ProviderAccess, { prompt, from, isTest }: Question) {
  const isPerplexity = provider === 'perplexity'
  const hint = isPerplexity ? languageHint(from) : hintOf(from)
  const messages = [
    ...(hint ? [{ role: 'system', content: hint }] : []),
    { role: 'user', content: prompt },
  ]
  if (provider === 'openrouter') {
    // A model that is written with `:online` searches by itself.
    const searches = !isTest && !model.endsWith(':online')
    return {
      model,
      messages,
      ...(searches && { tools: [{ type: 'openrouter:web_search' }] }),
      ...(isTest && { max_tokens: fewTokens }),
    }
  }
  if (!isPerplexity) return { model, messages }
  const options = from.place && { user_location: userLocation(from.place) }
  return {
    model,
    messages,
    ...(options && { web_search_options: options }),
    // Some endpoints know no limit, and their test answers in full.
    ...(isTest && { max_tokens: fewTokens }),
  }
}

/** Mistral has its search in conversations alone. None is stored at Mistral. */
function conversationBody({ model }: ProviderAccess, { prompt, from, isTest }: Question) {
  const shared = { model, inputs: prompt, store: false, stream: false }
  if (isTest) return { ...shared, completion_args: { max_tokens: fewTokens } }
  const hint = hintOf(from)
  return { ...shared, ...(hint && { instructions: hint }), tools: [{ type: 'web_search' }] }
}

/**
 * The request that asks a prompt with web search on, as each provider documents it. The place is a parameter of OpenAI,
 * Anthropic and Perplexity, and a hint to the others. The language is a hint to all. Both are parameters of vendors of
 * search results.
 * @param options `isTest` asks for a few tokens without a search, or for the account: whether key and address work
 * @see https://platform.openai.com/docs/guides/tools-web-search
 * @see https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool
 * @see https://ai.google.dev/gemini-api/docs/google-search
 * @see https://docs.perplexity.ai/api-reference/chat-completions-post
 * @see https://docs.x.ai/docs/guides/tools/search-tools
 * @see https://openrouter.ai/docs/guides/features/server-tools/web-search
 * @see https://docs.mistral.ai/agents/connectors/websearch
 */
export function requestFor(
  access: ProviderAccess,
  prompt: string,
  { from = anywhere, isTest = false }: { from?: AskedFrom; isTest?: boolean } = {},
): ProviderRequest {
  const { provider, secret, baseUrl, model } = access
  const question = { prompt, from, isTest }
  const bearer = { authorization: `Bearer ${secret}` }
  switch (provider) {
    case 'openai':
    case 'xai':
      return {
        url: `${baseUrl}/responses`,
        headers: bearer,
        body: responsesBody(access, question),
      }
    case 'anthropic': {
      const headers = { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
      return { url: `${baseUrl}/messages`, headers, body: messagesBody(access, question) }
    }
    case 'gemini': {
      const url = `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`
      return { url, headers: { 'x-goog-api-key': secret }, body: contentBody(question) }
    }
    case 'mistral':
      return {
        url: `${baseUrl}/conversations`,
        headers: bearer,
        body: conversationBody(access, question),
      }
    case 'perplexity':
    case 'openrouter':
    case 'compatible':
      return {
        url: `${baseUrl}/chat/completions`,
        headers: bearer,
        body: chatBody(access, question),
      }
    case 'dataforseo':
      return dataForSeoRequest(access, question)
    case 'serpapi':
      return serpApiRequest(access, question)
    case 'cloro':
    case 'brightdata':
    case 'oxylabs':
    case 'olostep':
    case 'dataforseo_scraper':
      if (isTest) return services[provider].account(access)
      throw new Error(`${provider} is asked by tasks.`)
  }
}

/** Instructions, and what they are about. */
export interface Task {
  readonly instructions: string
  readonly input: string
}

/**
 * The request that has a model work on a text, without a search. The instructions ask for the format of the reply: parameters for
 * it differ by model.
 * @see https://docs.perplexity.ai/api-reference/chat-completions-post for `disable_search`
 */
export function taskRequest(
  { provider, secret, baseUrl, model }: ProviderAccess,
  { instructions, input }: Task,
): ProviderRequest {
  const bearer = { authorization: `Bearer ${secret}` }
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: input },
  ]
  switch (provider) {
    case 'openai':
    case 'xai':
      return {
        url: `${baseUrl}/responses`,
        headers: bearer,
        body: { model, instructions, input, store: false },
      }
    case 'anthropic': {
      const headers = { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
      const own = [{ role: 'user', content: input }]
      const body = { model, max_tokens: mostTokens, system: instructions, messages: own }
      return { url: `${baseUrl}/messages`, headers, body }
    }
    case 'gemini': {
      const url = `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`
      const body = {
        systemInstruction: { parts: [{ text: instructions }] },
        contents: [{ role: 'user', parts: [{ text: input }] }],
        generationConfig: { responseMimeType: 'application/json' },
      }
      return { url, headers: { 'x-goog-api-key': secret }, body }
    }
    case 'perplexity':
    case 'openrouter':
    case 'mistral':
    case 'compatible': {
      // A model that is written with `:online` searches by itself.
      const named = provider === 'openrouter' ? model.replace(/:online$/, '') : model
      const body = {
        model: named,
        messages,
        ...(provider === 'perplexity' && { disable_search: true }),
      }
      return { url: `${baseUrl}/chat/completions`, headers: bearer, body }
    }
    case 'dataforseo':
    case 'serpapi':
    case 'cloro':
    case 'brightdata':
    case 'oxylabs':
    case 'olostep':
    case 'dataforseo_scraper':
      throw new Error(`${provider} has no model that works on a text.`)
  }
}
