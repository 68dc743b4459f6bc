import { describe, expect, test } from 'vitest'
import { readReply } from '../../../../core/collecting/providers/read.ts'
import { realData } from '../../../kit/real-data.ts'

const cited = (pages: readonly { cited: boolean }[]) => pages.filter((page) => page.cited).length

/** Counts that a hand finds in the recorded bodies. */
const recorded = [
  ['openai-responses-web-search', 'gpt-5-mini-2025-08-07', 1, 7, 11, 3042, null],
  ['anthropic-web-search', 'claude-sonnet-4-20250514', 2, 2, 8, 1876, null],
  ['gemini-generate-content-grounding', 'gemini-2.5-pro', 1, 3, 0, 815, null],
  ['gemini-interactions-google-search', 'gemini-2.5-flash', 2, 4, 0, 4022, null],
  ['perplexity-sonar-citations', 'sonar', 0, 7, 0, 952, null],
  ['xai-responses-web-search', 'grok-4-fast-reasoning', 1, 5, 0, 799, null],
  ['openrouter-chat-annotations', 'deepseek/deepseek-chat', 0, 5, 0, 39, 0.007637029],
] as const

describe.each(recorded)(
  'the recorded body %s',
  (name, model, queries, citedPages, read, length, cost) => {
    const { isAbsent, text } = realData(`data/providers/${name}.json`)
    test.skipIf(isAbsent)('gives model, searches, pages, text and cost', () => {
      const reply = readReply(JSON.parse(text))
      expect(reply).toMatchObject({ outcome: 'answered', reason: '', model, usage: { cost } })
      expect(reply?.searchQueries).toHaveLength(queries)
      expect(cited(reply?.pages ?? [])).toBe(citedPages)
      expect(reply?.pages).toHaveLength(citedPages + read)
      expect(reply?.text).toHaveLength(length)
    })
  },
)

const response = (more: object) => ({ object: 'response', status: 'completed', ...more })
const said = (...content: object[]) => [{ type: 'message', content }]
const chat = (choice: object, more: object = {}) => ({ choices: [choice], ...more })

describe('how a question ended', () => {
  test.each([
    ['answered', '', response({ output: said({ type: 'output_text', text: 'Acme.' }) })],
    ['refused', 'I cannot.', response({ output: said({ type: 'refusal', refusal: 'I cannot.' }) })],
    ['failed', 'overloaded', response({ status: 'failed', error: { message: 'overloaded' } })],
    ['empty', '', response({ output: [] })],
    [
      'cut_off',
      'max_output_tokens',
      response({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: said({ type: 'output_text', text: 'Ac' }),
      }),
    ],
    [
      'filtered',
      'content_filter',
      response({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
    ],
    ['refused', 'refusal', { type: 'message', stop_reason: 'refusal', content: [] }],
    ['empty', 'end_turn', { type: 'message', stop_reason: 'end_turn', content: [] }],
    [
      'cut_off',
      'max_tokens',
      { type: 'message', stop_reason: 'max_tokens', content: [{ type: 'text', text: 'Ac' }] },
    ],
    ['filtered', 'SAFETY', { candidates: [{ finishReason: 'SAFETY' }] }],
    ['filtered', 'OTHER', { promptFeedback: { blockReason: 'OTHER' } }],
    [
      'cut_off',
      'MAX_TOKENS',
      { candidates: [{ finishReason: 'MAX_TOKENS', content: { parts: [{ text: 'Ac' }] } }] },
    ],
    ['failed', 'failed', { object: 'interaction', status: 'failed' }],
    ['refused', 'No.', chat({ finish_reason: 'stop', message: { refusal: 'No.' } })],
    ['filtered', 'content_filter', chat({ finish_reason: 'content_filter', message: {} })],
    ['failed', 'no credit', chat({ finish_reason: 'error', error: { message: 'no credit' } })],
    ['cut_off', 'length', chat({ finish_reason: 'length', message: { content: 'Ac' } })],
    ['empty', 'stop', chat({ finish_reason: 'stop', message: { content: ' ' } })],
  ])('%s: %s', (outcome, reason, body) => {
    expect(readReply(body)).toMatchObject({ outcome, reason })
  })

  test.each([
    [null],
    ['Acme.'],
    [[]],
    [{}],
    [{ object: 'response', output: 'Acme.' }],
    [{ error: {} }],
  ])('%j is no body of a provider', (body) => {
    expect(readReply(body)).toBeNull()
  })
})

describe('pages and searches', () => {
  test('a page that is cited and read is cited, with the title of either list', () => {
    const url = 'https://a.example/'
    const body = chat(
      { finish_reason: 'stop', message: { content: 'Acme [1]' } },
      { citations: [url], search_results: [{ url, title: 'A' }, { url: 'https://b.example/' }] },
    )
    expect(readReply(body)?.pages).toEqual([
      { url, title: 'A', cited: true },
      { url: 'https://b.example/', title: '', cited: false },
    ])
  })

  test('chunks of Gemini that support nothing were only read', () => {
    const web = (uri: string) => ({ web: { uri, title: 'a.example' } })
    const groundingMetadata = {
      groundingChunks: [web('https://r.example/1'), web('https://r.example/2')],
      groundingSupports: [{ groundingChunkIndices: [1] }],
    }
    const content = { parts: [{ text: 'thinking', thought: true }, { text: 'Acme.' }] }
    const reply = readReply({ candidates: [{ content, groundingMetadata, finishReason: 'STOP' }] })
    expect(reply?.text).toBe('Acme.')
    expect(reply?.pages.map(({ url, cited: isCited }) => [url, isCited])).toEqual([
      ['https://r.example/2', true],
      ['https://r.example/1', false],
    ])
  })

  test('a search that failed has no pages, and its question stays', () => {
    const content = [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'anvils' } },
      { type: 'web_search_tool_result', content: { type: 'error', error_code: 'unavailable' } },
      { type: 'text', text: 'Acme.' },
    ]
    const reply = readReply({ type: 'message', stop_reason: 'end_turn', content })
    expect(reply).toMatchObject({ outcome: 'answered', searchQueries: ['anvils'], pages: [] })
  })

  test('xAI counts its price in ticks', () => {
    const body = response({ output: [], usage: { cost_in_usd_ticks: 123_000_000 } })
    expect(readReply(body)?.usage.cost).toBeCloseTo(0.0123)
  })
})
