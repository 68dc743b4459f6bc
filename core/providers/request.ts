/** The providers that Sightline asks. `compatible` is any endpoint for chat completions. */
export const askedProviders = [
  'openai',
  'anthropic',
  'gemini',
  'perplexity',
  'xai',
  'compatible',
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
  compatible: { baseUrl: null, model: null },
}

/** A key for a provider, ready to ask with. */
export interface ProviderAccess {
  readonly provider: AskedProvider
  readonly secret: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly model: string
}

/** One request to the API of a provider. */
export interface ProviderRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const mostTokens = 4096
/** The least that OpenAI takes. */
const fewTokens = 16
const mostSearches = 5

/**
 * The request that asks a prompt with web search on, as each provider documents it.
 * @param isTest asks for a few tokens without a search: whether key, address and model work
 * @see https://platform.openai.com/docs/guides/tools-web-search
 * @see https://docs.claude.com/en/docs/agents-and-tools/tool-use/web-search-tool
 * @see https://ai.google.dev/gemini-api/docs/google-search
 * @see https://docs.perplexity.ai/api-reference/chat-completions-post
 * @see https://docs.x.ai/docs/guides/tools/search-tools
 */
export function requestFor(
  { provider, secret, baseUrl, model }: ProviderAccess,
  prompt: string,
  isTest = false,
): ProviderRequest {
  const bearer = { authorization: `Bearer ${secret}` }
  const messages = [{ role: 'user', content: prompt }]
  switch (provider) {
    case 'openai':
    case 'xai': {
      const search = {
        tools: [{ type: 'web_search' }],
        ...(provider === 'openai' ? { include: ['web_search_call.action.sources'] } : {}),
      }
      const more = isTest ? { max_output_tokens: fewTokens } : search
      const body = { model, input: prompt, store: false, ...more }
      return { url: `${baseUrl}/responses`, headers: bearer, body }
    }
    case 'anthropic': {
      const tool = { type: 'web_search_20250305', name: 'web_search', max_uses: mostSearches }
      const more = isTest ? {} : { tools: [tool] }
      const body = { model, max_tokens: isTest ? fewTokens : mostTokens, messages, ...more }
      const headers = { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
      return { url: `${baseUrl}/messages`, headers, body }
    }
    case 'gemini': {
      const contents = [{ role: 'user', parts: [{ text: prompt }] }]
      const more = isTest
        ? { generationConfig: { maxOutputTokens: fewTokens } }
        : { tools: [{ google_search: {} }] }
      const url = `${baseUrl}/models/${encodeURIComponent(model)}:generateContent`
      return { url, headers: { 'x-goog-api-key': secret }, body: { contents, ...more } }
    }
    case 'perplexity':
    case 'compatible': {
      // Some endpoints know no limit, and their test answers in full.
      const more = isTest && provider === 'perplexity' ? { max_tokens: fewTokens } : {}
      const body = { model, messages, ...more }
      return { url: `${baseUrl}/chat/completions`, headers: bearer, body }
    }
  }
}
