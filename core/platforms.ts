import { cachedResults } from './load/cached-results.ts'
import { platformOfSource } from './sites/ai-hosts.ts'

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
    aliases: [
      'chat gpt',
      'openai',
      'open ai',
      'gpt',
      'searchgpt',
      'chatgpt search',
      'chatgpt.com',
      'chatgpt atlas',
      'atlas',
    ],
    // `o2` is a mobile network, and no model. Old models: https://platform.openai.com/docs/deprecations
    modelPattern:
      /^(?:chatgpt|gpt)_?\d|^gpt_oss(?:_|$)|^o[13-9](?:_|$)|^chatgpt_\w+_latest$|^(?:(?:text|code)_)?davinci_\d/,
  },
  // A surface that an API answers for too is a platform of its own: no text of an import means it.
  { id: 'chatgpt_surface', displayName: 'ChatGPT (surface)', aliases: [] },
  { id: 'gemini_surface', displayName: 'Gemini (surface)', aliases: [] },
  { id: 'perplexity_surface', displayName: 'Perplexity (surface)', aliases: [] },
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
    // Gemma is Google's model to download: https://ai.google.dev/gemma
    modelPattern: /^gemini_(?:\d|pro|flash|ultra|nano|exp|live)|^gemma(?:_?\d|_|$)/,
  },
  {
    id: 'perplexity',
    displayName: 'Perplexity',
    aliases: ['perplexity ai', 'perplexity.ai', 'pplx'],
    modelPattern: /^(?:pplx_|sonar(?:_|$)|llama_\d(?:_\d)?_sonar|r1_1776)/,
  },
  {
    id: 'claude',
    displayName: 'Claude',
    aliases: ['anthropic', 'anthropic claude', 'claude ai', 'claude.ai'],
    modelPattern: /^claude_(?:v?\d|opus|sonnet|haiku|instant)/,
  },
  {
    id: 'copilot',
    displayName: 'Microsoft Copilot',
    aliases: [
      'ms copilot',
      'microsoft 365 copilot',
      'm365 copilot',
      'bing',
      'bing chat',
      'bing copilot',
      'bing ai',
      'copilot search',
    ],
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
    // Models that others made of Llama are theirs.
    modelPattern: /^(?:meta_)?llama_?\d(?!.*(?:sonar|nemotron))/,
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
    modelPattern:
      /^(?:open_)?(?:mistral|ministral)_(?:\d|large|medium|small|tiny|nemo)|^(?:open_)?mixtral|^(?:codestral|pixtral|devstral|magistral)(?:_|$)/,
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
    modelPattern: /^qwen(?:_?\d|_(?:max|plus|turbo|long|coder|vl|omni)(?:_|$))|^q[wv]q(?:_|$)/,
  },
  {
    id: 'kimi',
    displayName: 'Kimi',
    aliases: ['moonshot', 'moonshot ai', 'kimi ai'],
    modelPattern: /^(?:kimi_(?:k?\d|latest|thinking)|moonshot_v\d)/,
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
  { id: 'notebooklm', displayName: 'NotebookLM', aliases: ['notebook lm', 'google notebooklm'] },
  { id: 'phind', displayName: 'Phind', aliases: ['phind.com'] },
  { id: 'poe', displayName: 'Poe', aliases: ['poe.com', 'quora poe'] },
  { id: 'genspark', displayName: 'Genspark', aliases: ['genspark.ai', 'genspark ai'] },
  { id: 'felo', displayName: 'Felo', aliases: ['felo.ai', 'felo ai'] },
  { id: 'iask', displayName: 'iAsk', aliases: ['iask.ai', 'iask ai'] },
  {
    id: 'zai',
    displayName: 'Z.ai',
    aliases: ['z ai', 'zhipu', 'chatglm'],
    modelPattern: /^(?:chat)?glm_?\d/,
  },
  { id: 'yuanbao', displayName: 'Tencent Yuanbao', aliases: ['tencent hunyuan', '元宝'] },
  { id: 'liner', displayName: 'Liner', aliases: ['liner.com', 'liner ai'] },
  { id: 'character_ai', displayName: 'Character.AI', aliases: ['character ai'] },
]

/** Case, width and the sort of separator make no difference. A dot separates too. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.\p{Pd}]+/gu, '_')
    .replace(/^_|_$/g, '')
}

/** The vendors that routers and clouds write before a model: `us.anthropic.claude-…`, `azure/gpt-4o`. */
const vendorPrefix =
  /^(?:(?:us|eu|apac|global)_)?(?:ai21|alibaba|anthropic|azure|bedrock|deepseek|google|meta|mistral|moonshot|openai|perplexity|qwen|xai)_/

/** Plans and switches behind a name: `Perplexity Pro`, `chatgpt-search`. They are no other platform. */
const tierSuffix =
  /_(?:advanced|beta|enterprise|free|latest|online|plus|premium|preview|pro|search|team)$/

const ids = new Map(
  platforms.flatMap(({ id, displayName, aliases }) =>
    [id, displayName, ...aliases].map((name) => [folded(name), id] as const),
  ),
)

/** Products alone: a company and a plan, such as "Amazon Premium", may be anything else. */
const products = new Map(
  platforms.flatMap(({ id, displayName }) =>
    [id, displayName].map((name) => [folded(name), id] as const),
  ),
)

/** Where and how a name was asked, behind it: `(US)`, `[web]`, ` - Germany`. */
const note = /\s*(?:\([^()]*\)|\[[^[\]]*\]|\s[|\p{Pd}]\s.*)$/u

/** The names that a text may be: as it stands, and with words of its capitals. */
function namesIn(text: string): string[] {
  return [folded(text), folded(text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1_'))]
}

/** The models that a text may be: without the path, the switch and the vendor that routers and clouds write. */
function modelsIn(text: string): string[] {
  const id = /\s/.test(text) ? text : (text.split('/').at(-1) ?? '')
  const bare = folded(id.split(/[:@]/, 1)[0] ?? '')
  return [bare, bare.replace(vendorPrefix, '')]
}

/** The platform that a text names by id, display name or alias, in any case; null when it names none. */
export function namedPlatform(text: string): string | null {
  return ids.get(folded(text)) ?? null
}

/**
 * The platform that a text means: an id, a display name, an alias or a model id, in any case, with
 * spaces, hyphens or underscores. `AI Mode` gives `google_ai_mode`, `gpt-4o` gives `chatgpt`.
 * A vendor before the name, and a date, size, plan, switch or place behind it, do not matter: `openai/gpt-4o:online`,
 * `ChatGPT (US)`. The host of an assistant means it too.
 * @returns null for an unknown platform
 */
export const resolvePlatform = cachedResults((text: string): string | null => {
  const bare = text.replace(note, '')
  const named = [...namesIn(text), ...namesIn(bare)]
    .map((name) => ids.get(name))
    .find((id) => id !== undefined)
  const found = named ?? platformOfSource(text)
  if (found !== null) return found
  for (const name of [...namesIn(bare), ...modelsIn(bare)]) {
    const model = platforms.find(({ modelPattern }) => modelPattern?.test(name))
    const found = model?.id ?? products.get(name) ?? products.get(name.replace(tierSuffix, ''))
    if (found !== undefined) return found
  }
  return null
})

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
