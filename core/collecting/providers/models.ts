import { z } from 'zod'
import { pricedAs } from './cost.ts'
import type { ProviderRequest } from './question.ts'
import { modelsOf, type ProviderAccess } from './request.ts'

/** Models that no assistant answers with. */
const other =
  /embed|image|imagen|veo|sora|dall-e|tts|audio|realtime|transcribe|whisper|moderation|voice|vision|live|video|babbage|davinci|ada\b|codex|code-|-build|computer-use|^ft:|gemma|aqa/

/** A list of models: of OpenAI, Anthropic and xAI, or of Gemini. */
const listed = z.union([
  z
    .object({ data: z.array(z.object({ id: z.string() })) })
    .transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({
      models: z.array(
        z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() }),
      ),
    })
    .transform(({ models }) =>
      models
        .filter(
          ({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true,
        )
        .map(({ name }) => name.replace(/^models\//, '')),
    ),
])

const mostModels = 1000

/** The models of a provider's list that may answer a prompt; null for a body that is no list. */
export function modelsIn(body: unknown): readonly string[] | null {
  const ids = listed.safeParse(body).data
  return ids ? answering(ids) : null
}

/** The newest of a family first. */
const answering = (ids: readonly string[]) =>
  [...new Set(ids)]
    .filter((id) => !other.test(id))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .slice(0, mostModels)

/**
 * The request for the models that a key may use; null for a provider without such a list.
 * @see https://platform.openai.com/docs/api-reference/models/list
 * @see https://docs.claude.com/en/api/models-list
 * @see https://ai.google.dev/api/models#method:-models.list
 */
export function modelsRequest({
  provider,
  secret,
  baseUrl,
}: Omit<ProviderAccess, 'model'>): ProviderRequest | null {
  switch (provider) {
    case 'openai':
    case 'xai':
    case 'openrouter':
    case 'mistral':
    case 'compatible':
      return {
        url: `${baseUrl}/models`,
        headers: { authorization: `Bearer ${secret}` },
        body: null,
      }
    case 'anthropic': {
      const headers = { 'x-api-key': secret, 'anthropic-version': '2023-06-01' }
      return { url: `${baseUrl}/models?limit=1000`, headers, body: null }
    }
    case 'gemini':
      return {
        url: `${baseUrl}/models?pageSize=1000`,
        headers: { 'x-goog-api-key': secret },
        body: null,
      }
    case 'perplexity':
    case 'dataforseo':
    case 'serpapi':
    case 'cloro':
    case 'brightdata':
    case 'oxylabs':
    case 'olostep':
    case 'dataforseo_scraper':
      return null
  }
}

/** The maker's own models: some lists have those of others, whom they host. */
const makers: Readonly<Record<string, RegExp>> = {
  openai: /^(?:gpt-[4-9]|o\d|chatgpt|gpt-chat)/,
  anthropic: /^claude-(?!v\d|2)/,
  google: /^gemini-(?!1|2\.0|pro|flash-1)/,
  perplexity: /^sonar/,
  'x-ai': /^grok-(?!2)/,
  mistral: /^(?:mistral|magistral|ministral)-/,
}

/** Models of a provider that are known without asking it. */
export async function knownModels(
  provider: ProviderAccess['provider'],
): Promise<readonly string[]> {
  const surfaces = modelsOf(provider)
  if (surfaces) return surfaces
  const maker = pricedAs[provider]
  if (maker === undefined) return []
  const { findProvider } = await import('@pydantic/genai-prices')
  const found = findProvider({ providerId: maker })?.models ?? []
  const own = makers[maker]
  const ids = found.filter(({ id, deprecated }) => !deprecated && (own?.test(id) ?? true))
  return answering(ids.map(({ id }) => id))
}
