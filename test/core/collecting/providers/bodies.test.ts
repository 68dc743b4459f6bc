import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readReply } from '../../../../core/collecting/providers/read.ts'
import { root } from '../../../kit/repository.ts'

const folder = join(root, 'test', 'fixtures', 'providers')

interface Expected {
  /** Default: `answered`. */
  readonly outcome?: string
  readonly reason?: string
  readonly text: string
  readonly model: string
  readonly cited?: readonly string[]
  readonly read?: readonly string[]
  readonly searches?: readonly string[]
  /** Names and prices of products; absent where the body says nothing of them. */
  readonly products?: readonly (readonly string[])[]
  /** Advertisers. */
  readonly ads?: readonly string[]
  /** What a service billed. */
  readonly units?: number
  /** Input tokens, output tokens, searches, and US dollars by the provider's own figure. */
  readonly usage: readonly (number | null)[]
}

const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'
const no = null

const table: Readonly<Record<string, Expected>> = {
  'openai-phase': {
    text: 'The capital of France is Paris.',
    model: 'gpt-5.3-codex',
    usage: [50, 100, 0, no],
  },
  'openai-commentary-alone': {
    outcome: 'empty',
    reason: 'max_output_tokens',
    text: '',
    model: 'gpt-5.4',
    usage: [50, 100, 0, no],
  },
  'openai-two-parts': { text: 'First. Second.', model: 'gpt-5-mini', usage: [1, 2, 0, no] },
  'openai-search': {
    text: 'Emmanuel Grégoire.',
    model: 'gpt-5-mini-2025-08-07',
    cited: ['https://www.paris.fr/en/pages/mayor'],
    read: ['https://www.paris.fr/pages/gregoire-emmanuel-2323'],
    searches: ['Le maire de Paris', 'Mayor of Paris'],
    // One search; the other two calls open pages.
    usage: [50, 100, 1, no],
  },
  'openai-marks': {
    text: 'Acme leads. Its anvils last. See the test.\n',
    model: 'gpt-5.1',
    cited: ['https://acme.com/'],
    searches: ['best anvils'],
    usage: [50, 100, 1, no],
  },
  'openai-cut-off': {
    outcome: 'cut_off',
    reason: 'max_output_tokens',
    text: 'Acme is',
    model: 'gpt-5-mini',
    usage: [50, 100, 0, no],
  },
  'openai-filtered': {
    outcome: 'filtered',
    reason: 'content_filter',
    text: '',
    model: 'gpt-5-mini',
    usage: [50, 100, 0, no],
  },
  'openai-refusal': {
    outcome: 'refused',
    reason: "I can't help with that.",
    text: '',
    model: 'gpt-5-mini',
    usage: [50, 100, 0, no],
  },
  'openai-failed': {
    outcome: 'failed',
    reason: 'The model failed to generate a response.',
    text: '',
    model: 'gpt-5-mini',
    usage: [50, 100, 0, no],
  },
  'deepseek-responses': {
    text: 'Spain won the 2026 FIFA World Cup.',
    model: 'deepseek-v4-flash',
    searches: ['2026 FIFA World Cup winner', 'who won the 2026 FIFA World Cup'],
    usage: [2525, 151, 1, no],
  },
  'anthropic-dynamic-filtering': {
    text: 'The two searches completed.',
    model: 'claude-sonnet-4-6',
    read: ['https://ai-sdk.dev/', 'https://vercel.com/'],
    searches: ['AI SDK', 'Vercel'],
    usage: [100, 100, 2, no],
  },
  'anthropic-web-fetch': {
    text: 'The page at **example.com** is a placeholder page.',
    model: 'claude-sonnet-4-6',
    read: ['https://example.com'],
    usage: [7204, 162, 0, no],
  },
  'anthropic-bash': { text: 'Acme.', model: 'claude-sonnet-4-6', usage: [100, 100, no, no] },
  'anthropic-refusal': {
    outcome: 'refused',
    reason: 'refusal',
    text: '',
    model: 'claude-fable-5',
    usage: [18, 5, no, no],
  },
  'anthropic-search-error': {
    text: 'Acme, as far as I know.',
    model: 'claude-sonnet-4-6',
    searches: ['anvils'],
    usage: [100, 100, 1, no],
  },
  'anthropic-citations': {
    text: "I'll search for Acme\n\nBased on the results, Acme leads.",
    model: 'claude-sonnet-4-20250514',
    cited: ['https://acme.com/'],
    read: ['https://rival.com/'],
    searches: ['anvils'],
    usage: [6039, 931, 1, no],
  },
  'anthropic-paused': {
    outcome: 'failed',
    reason: 'pause_turn',
    text: "I'll search for that.",
    model: 'claude-sonnet-4-5',
    read: ['https://acme.com/'],
    searches: ['best anvils', 'anvils test'],
    usage: [6000, 80, 1, no],
  },
  'anthropic-turns': {
    text: "I'll search for that.\n\nAcme won the test.",
    model: 'claude-sonnet-4-5',
    cited: ['https://test.org/anvils'],
    read: ['https://acme.com/'],
    searches: ['best anvils', 'anvils test'],
    usage: [15_000, 200, 2, no],
  },
  'gemini-thinking': {
    text: 'There are **3** "r"s in strawberry.',
    model: 'gemini-3-pro-preview',
    usage: [9, 311, no, no],
  },
  'gemini-prompt-block': {
    outcome: 'filtered',
    reason: 'PROHIBITED_CONTENT',
    text: '',
    model: 'gemini-3.7-flash',
    usage: [9, no, no, no],
  },
  'gemini-empty': {
    outcome: 'empty',
    reason: 'STOP',
    text: '',
    model: 'gemini-3.6-flash',
    usage: [144, 107, no, no],
  },
  'gemini-grounding': {
    text: 'Spain won Euro 2024.',
    model: 'gemini-2.5-flash',
    cited: [`${redirect}b`],
    read: [`${redirect}a`],
    searches: ['UEFA Euro 2024 winner', 'who won euro 2024'],
    usage: [10, 8, 2, no],
  },
  'gemini-interaction': {
    text: 'Acme.',
    model: 'gemini-2.5-flash',
    cited: ['https://acme.com/'],
    searches: ['best anvils'],
    usage: [120, 15, 1, no],
  },
  'perplexity-reasoning': {
    text: '**Acme** leads[1].',
    model: 'sonar-reasoning-pro',
    cited: ['https://acme.com/'],
    read: ['https://rival.com/'],
    usage: [9, 210, 2, 0.00772],
  },
  'perplexity-usage': { text: 'OK', model: 'sonar', usage: [6, 1, no, 0.00501] },
  'xai-x-search': {
    text: 'People speak of AI.',
    model: 'grok-4-fast-reasoning',
    cited: ['https://x.com/i/status/1982033415697514642'],
    usage: [8397, 1805, 0, no],
  },
  'xai-search': {
    text: 'Acme leads. [[1]](https://acme.com/)',
    model: 'grok-4-fast-reasoning',
    cited: ['https://acme.com/'],
    searches: ['best anvils'],
    usage: [4000, 300, 1, 0.0123],
  },
  'xai-empty': {
    outcome: 'empty',
    text: '',
    model: 'grok-4.6',
    usage: [5165, 891, 0, 0.018948],
  },
  'groq-raw-think': {
    text: 'Crossing a river can be dangerous.\n\n---\n\n### 1. **Assess the Situation**',
    model: 'deepseek-r1-distill-llama-70b',
    usage: [243, 1040, no, no],
  },
  'groq-empty-think': {
    text: 'To cross the street safely, follow these steps.',
    model: 'deepseek-r1-distill-llama-70b',
    usage: [10, 216, no, no],
  },
  'groq-reasoning': {
    text: 'The word "strawberry" contains **3**.',
    model: 'qwen/qwen3-32b',
    usage: [17, 649, no, no],
  },
  'groq-compound': {
    text: 'The weather is partly cloudy.',
    model: 'groq/compound',
    read: ['https://www.weatherapi.com/', 'https://weathershogun.com/'],
    searches: ['What is the weather in San Francisco today?'],
    usage: [2000, 300, no, no],
  },
  'groq-no-choices': {
    outcome: 'empty',
    text: '',
    model: 'openai/gpt-oss-20b',
    usage: [1, 0, no, no],
  },
  'mistral-thinking': {
    text: '2 + 2 = 4',
    model: 'magistral-medium-2507',
    usage: [10, 46, no, no],
  },
  'mistral-references': {
    text: 'Acme won the test.',
    model: 'mistral-large-latest',
    usage: [300, 40, no, no],
  },
  'huggingface-think': {
    text: 'Crossing the street requires **awareness**.',
    model: 'deepseek-ai/DeepSeek-R1',
    usage: [10, 995, no, no],
  },
  'vllm-unopened-think': {
    text: 'Acme leads.',
    model: 'Qwen/Qwen3-4B-Thinking-2507',
    usage: [12, 60, no, no],
  },
  'vllm-cut-in-think': {
    outcome: 'empty',
    reason: 'length',
    text: '',
    model: 'Qwen/Qwen3-8B',
    usage: [12, 16, no, no],
  },
  'about-think': {
    text: 'R1 writes `<think>` first:\n\n```\n<think>\nAcme?\n</think>\n```\n\nRival hides it.',
    model: 'openai/gpt-oss-120b',
    usage: [12, 60, no, no],
  },
  'minimax-think-twice': {
    text: 'Acme leads.\n\n\n\nIt lasts.',
    model: 'MiniMax-M2',
    usage: [12, 60, no, no],
  },
  'deepseek-reasoning': {
    text: 'There are **3** "r"s in "strawberry".',
    model: 'deepseek-v4-flash',
    usage: [97, 131, no, no],
  },
  'deepseek-reasoning-alone': {
    outcome: 'empty',
    reason: 'length',
    text: '',
    model: 'deepseek-reasoner',
    usage: [97, 32, no, no],
  },
  'cerebras-reasoning': {
    text: 'Hello! How can I assist you today?',
    model: 'gpt-oss-120b',
    usage: [12, 10, no, no],
  },
  'openrouter-reasoning': {
    text: '\n\nOf course. Voltaire is a **ghost in the machine**.',
    model: 'z-ai/glm-4.6',
    usage: [30, 900, no, 0.0021],
  },
  'openrouter-search': {
    text: 'https://github.com/pydantic/pydantic-ai ',
    model: 'openai/gpt-4.1-mini',
    cited: ['https://github.com/pydantic/pydantic-ai'],
    usage: [8174, 30, 1, 0.0133176],
  },
  'openrouter-marks': {
    text: 'Acme leads.',
    model: 'openai/gpt-5:online',
    usage: [800, 30, no, 0.02],
  },
  'openrouter-broken': {
    outcome: 'failed',
    reason: 'Upstream error',
    text: 'Ac',
    model: 'x/y',
    usage: [1, 1, no, 0],
  },
  'openrouter-tool': {
    text: 'Acme leads.',
    model: 'openai/gpt-5-mini',
    cited: ['https://acme.com/test'],
    usage: [9000, 40, 2, 0.0121],
  },
  'mistral-conversation': {
    text: 'Acme won the test, and lasts.',
    model: 'mistral-medium-2508',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    searches: ['best anvils 2026'],
    usage: [1500, 60, 1, no],
  },
  'cloro-chatgpt': {
    text: '**Acme** leads.',
    model: 'gpt-5-3-mini',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    searches: ['best anvils 2026', 'anvil shops near me'],
    products: [
      ['Anvil 9', '$199.99'],
      ['Anvil 5', '$99.00'],
    ],
    ads: ['Shop'],
    units: 7,
    usage: [no, no, no, no],
  },
  'cloro-perplexity': {
    text: 'Acme leads.',
    model: '',
    cited: ['https://acme.com/test'],
    units: 3,
    usage: [no, no, no, no],
  },
  'cloro-no-overview': {
    outcome: 'not_shown',
    text: '',
    model: '',
    units: 5,
    usage: [no, no, no, no],
  },
  'cloro-overview': {
    text: 'Acme **leads**.',
    model: '',
    cited: ['https://acme.com/test'],
    units: 5,
    usage: [no, no, no, no],
  },
  'brightdata-chatgpt': {
    text: '**Acme** leads.',
    model: 'gpt-5-3',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    read: ['https://rival.example/'],
    searches: ['best anvils 2026'],
    products: [['Anvil 9', '$199.99']],
    units: 1,
    usage: [no, no, no, no],
  },
  'brightdata-other-session': {
    outcome: 'failed',
    reason: 'the reply is to another prompt',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'brightdata-error': {
    outcome: 'failed',
    reason: 'The page did not load',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'brightdata-overview': {
    text: 'Acme leads.\n\nWhy\n- It lasts.\n- It is loud.\n  - Very.',
    model: '',
    cited: ['https://acme.com/test'],
    units: 1,
    usage: [no, no, no, no],
  },
  'brightdata-no-overview': {
    outcome: 'not_shown',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'oxylabs-chatgpt': {
    text: '**Acme** leads.',
    model: 'gpt-5-3',
    cited: ['https://acme.com/test'],
    searches: ['best anvils 2026'],
    units: 1,
    usage: [no, no, no, no],
  },
  'oxylabs-perplexity': {
    text: 'Acme leads.',
    model: 'turbo',
    cited: ['https://acme.com/test'],
    units: 1,
    usage: [no, no, no, no],
  },
  'oxylabs-ai-mode': {
    text: 'Acme leads.',
    model: '',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    units: 1,
    usage: [no, no, no, no],
  },
  'oxylabs-overview': {
    text: 'Acme leads.',
    model: '',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    units: 1,
    usage: [no, no, no, no],
  },
  'oxylabs-no-overview': {
    outcome: 'not_shown',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'olostep-chatgpt': {
    text: '**Acme** leads.',
    model: 'gpt-5-3',
    cited: ['https://acme.com/test', 'https://anvils.example/'],
    searches: ['best anvils 2026'],
    products: [['Anvil 9', '199.99']],
    units: 5,
    usage: [no, no, no, no],
  },
  'olostep-no-overview': {
    outcome: 'not_shown',
    text: '',
    model: '',
    units: 3,
    usage: [no, no, no, no],
  },
  'scraper-chatgpt': {
    text: '**Acme** leads.',
    model: 'gpt-5-3',
    cited: ['https://acme.com/test'],
    read: ['https://rival.example/anvils'],
    searches: ['best anvils 2026'],
    products: [
      ['Anvil 9', '199.99 USD'],
      ['Anvil 5', ''],
    ],
    ads: ['Bolt'],
    units: 1,
    usage: [no, no, no, no],
  },
  'scraper-gemini': {
    text: '**Acme** leads.\n\n| a |\n|---|\n| 1 |',
    model: 'gemini-3-flash',
    cited: ['https://acme.com/test'],
    units: 1,
    usage: [no, no, no, no],
  },
  'scraper-other-session': {
    outcome: 'failed',
    reason: 'the reply is to another prompt',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'scraper-nothing': {
    outcome: 'empty',
    text: '',
    model: '',
    units: 1,
    usage: [no, no, no, no],
  },
  'dataforseo-perplexity': {
    text: '**Acme** leads.\n\nSo say all.',
    model: 'sonar',
    cited: ['https://acme.com/test'],
    searches: ['best anvils'],
    usage: [9, 120, no, 0.0056],
  },
  'azure-filtered': {
    outcome: 'filtered',
    reason: 'content_filter',
    text: '',
    model: 'gpt-4o',
    usage: [20, 0, no, no],
  },
}

test('each body of the folder is in the table', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  expect(files.map((name) => name.slice(0, -'.json'.length)).sort()).toEqual(
    Object.keys(table).sort(),
  )
})

test.each(Object.entries(table))('%s', (name, expected) => {
  const reply = readReply(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  const { outcome = 'answered', reason = '', cited = [], read = [], searches = [] } = expected
  const pages = (isCited: boolean) =>
    (reply?.pages ?? []).filter((page) => page.cited === isCited).map(({ url }) => url)
  const { inputTokens, outputTokens, searches: count, cost } = reply?.usage ?? {}
  expect({
    outcome: reply?.outcome,
    reason: reply?.reason,
    text: reply?.text,
    model: reply?.model,
    cited: pages(true),
    read: pages(false),
    searches: reply?.searchQueries,
    usage: [inputTokens, outputTokens, count, cost],
    products: reply?.products?.map(({ name: title, price }) => [title, price]),
    ads: reply?.ads?.map(({ advertiser }) => advertiser),
    units: reply?.usage.units ?? undefined,
  }).toEqual({
    outcome,
    reason,
    text: expected.text,
    model: expected.model,
    cited,
    read,
    searches,
    usage: expected.usage,
    products: expected.products,
    ads: expected.ads,
    units: expected.units,
  })
})
