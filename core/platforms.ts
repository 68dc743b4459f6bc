/** An AI platform whose answers are tracked. */
export interface Platform {
  readonly id: string
  readonly displayName: string
  readonly aliases: readonly string[]
  /** Model ids of this platform, as `resolvePlatform` folds them: words between underscores. */
  readonly modelPattern?: RegExp
}

/** Names that mean one platform and no other. "Google" alone is none: it has four. */
export const platforms: readonly Platform[] = [
  {
    id: 'chatgpt',
    displayName: 'ChatGPT',
    aliases: ['chat gpt', 'openai', 'open ai', 'gpt', 'searchgpt', 'chatgpt search', 'chatgpt.com'],
    modelPattern: /^(?:chatgpt|gpt)_?\d|^o[1-9](?:_|$)|^chatgpt_\w+_latest$/,
  },
  {
    id: 'google_ai_mode',
    displayName: 'Google AI Mode',
    aliases: ['ai mode', 'aimode', 'google aimode'],
  },
  {
    id: 'google_ai_overviews',
    displayName: 'Google AI Overviews',
    aliases: [
      'google ai overview',
      'ai overviews',
      'ai overview',
      'aio',
      'google aio',
      'sge',
      'google sge',
      'search generative experience',
    ],
  },
  {
    id: 'gemini',
    displayName: 'Gemini',
    aliases: ['google gemini', 'bard', 'google bard', 'gemini.google.com'],
    modelPattern: /^gemini_(?:\d|pro|flash|ultra|nano)/,
  },
  {
    id: 'perplexity',
    displayName: 'Perplexity',
    aliases: ['perplexity ai', 'perplexity.ai', 'pplx'],
    modelPattern: /^(?:pplx_|sonar(?:_|$))/,
  },
  {
    id: 'claude',
    displayName: 'Claude',
    aliases: ['anthropic', 'anthropic claude', 'claude ai', 'claude.ai'],
    modelPattern: /^claude_(?:\d|opus|sonnet|haiku|instant)/,
  },
  {
    id: 'copilot',
    displayName: 'Microsoft Copilot',
    aliases: ['ms copilot', 'bing', 'bing chat', 'bing copilot', 'bing ai', 'copilot search'],
  },
  {
    id: 'grok',
    displayName: 'Grok',
    aliases: ['xai', 'x ai', 'x.ai', 'xai grok', 'grok ai'],
    modelPattern: /^grok_(?:\d|beta|mini|code)/,
  },
  {
    id: 'meta_ai',
    displayName: 'Meta AI',
    aliases: ['meta', 'metaai', 'meta.ai', 'llama', 'meta llama'],
    modelPattern: /^(?:meta_)?llama_?\d/,
  },
  {
    id: 'deepseek',
    displayName: 'DeepSeek',
    aliases: ['deep seek', 'deepseek chat'],
    modelPattern: /^deepseek_(?:chat|reasoner|coder|[rv]\d)/,
  },
  {
    id: 'mistral',
    displayName: 'Mistral Le Chat',
    aliases: ['le chat', 'lechat', 'mistral ai', 'mistral chat'],
    modelPattern: /^(?:mistral|magistral|ministral)_(?:\d|large|medium|small|tiny|nemo)|^mixtral/,
  },
  { id: 'you', displayName: 'You.com', aliases: ['you com', 'youchat', 'you chat', 'you ai'] },
  {
    id: 'amazon_rufus',
    displayName: 'Amazon Rufus',
    aliases: ['rufus', 'amazon', 'amazon ai'],
  },
  {
    id: 'duck_ai',
    displayName: 'Duck.ai',
    aliases: ['duckai', 'duckduckgo', 'duckduckgo ai', 'duckduckgo ai chat', 'duckassist'],
  },
  {
    id: 'brave',
    displayName: 'Brave Search',
    aliases: ['brave leo', 'brave ai', 'brave search ai'],
  },
  { id: 'kagi', displayName: 'Kagi Assistant', aliases: ['kagi ai', 'kagi fastgpt'] },
  {
    id: 'qwen',
    displayName: 'Qwen',
    aliases: ['qwen chat', 'tongyi', 'tongyi qianwen', 'alibaba qwen'],
    modelPattern: /^(?:qwen|qwq)_?\d/,
  },
  {
    id: 'kimi',
    displayName: 'Kimi',
    aliases: ['moonshot', 'moonshot ai', 'kimi ai'],
    modelPattern: /^(?:kimi_k?\d|moonshot_v\d)/,
  },
  {
    id: 'doubao',
    displayName: 'Doubao',
    aliases: ['bytedance doubao', '豆包'],
    modelPattern: /^doubao_/,
  },
  {
    id: 'ernie',
    displayName: 'ERNIE Bot',
    aliases: ['baidu', 'baidu ernie', 'wenxin', 'wenxin yiyan', 'yiyan', '文心一言'],
    modelPattern: /^ernie_(?:\d|x\d|speed|lite|turbo)/,
  },
  { id: 'yandex', displayName: 'Yandex Alice', aliases: ['yandex ai', 'yandexgpt'] },
]

/** Case, width and the sort of separator make no difference. A dot separates too. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.\p{Pd}]+/gu, '_')
    .replace(/^_|_$/g, '')
}

const ids = new Map(
  platforms.flatMap(({ id, displayName, aliases }) =>
    [id, displayName, ...aliases].map((name) => [folded(name), id] as const),
  ),
)

/** The platform that a text names by id, display name or alias, in any case; null when it names none. */
export function namedPlatform(text: string): string | null {
  return ids.get(folded(text)) ?? null
}

/**
 * The platform that a text means: an id, a display name, an alias or a model id, in any case, with
 * spaces, hyphens or underscores. `AI Mode` gives `google_ai_mode`, `gpt-4o` gives `chatgpt`.
 * @returns null for an unknown platform
 */
export function resolvePlatform(text: string): string | null {
  const name = folded(text)
  const byModel = () => platforms.find(({ modelPattern }) => modelPattern?.test(name))
  return ids.get(name) ?? byModel()?.id ?? null
}

/**
 * The id of the platform that an import names. An unknown platform gets an id made from its text:
 * `[a-z0-9_]`, at most 64 characters.
 * @returns null when no letter or digit remains
 */
export function platformId(text: string): string | null {
  const known = resolvePlatform(text)
  if (known !== null) return known
  const made = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .slice(0, 64)
    .replace(/_$/, '')
  return made === '' ? null : (resolvePlatform(made) ?? made)
}

/** The names of platforms for people, by id. */
export const platformNames: ReadonlyMap<string, string> = new Map(
  platforms.map(({ id, displayName }) => [id, displayName]),
)

/** The name of a platform for people. A platform that is not known has its id as its name. */
export function platformName(id: string): string {
  return platformNames.get(id) ?? id
}
