import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namedPlatform, platformId, platforms, resolvePlatform } from '../../core/platforms.ts'

describe('the registry', () => {
  test('ids are snake_case and unique', () => {
    const ids = platforms.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/)
  })

  test('every id, display name and alias means its own platform, in any case, with any separator', () => {
    for (const { id, displayName, aliases } of platforms) {
      for (const name of [id, displayName, ...aliases]) {
        for (const separator of [' ', '-', '_', '  ', ' - ']) {
          const written = name.replace(/[ _]/g, separator)
          expect([written, resolvePlatform(written)]).toEqual([written, id])
          expect(resolvePlatform(` ${written.toUpperCase()} `)).toBe(id)
        }
      }
    }
  })
})

describe('resolvePlatform', () => {
  test.each([
    ['ChatGPT', 'chatgpt'],
    ['OpenAI', 'chatgpt'],
    ['gpt', 'chatgpt'],
    ['gpt-4o-search-preview', 'chatgpt'],
    ['o3-mini', 'chatgpt'],
    ['chatgpt-4o-latest', 'chatgpt'],
    ['text-davinci-003', 'chatgpt'],
    ['davinci-002', 'chatgpt'],
    ['ChatGPT (web)', 'chatgpt'],
    ['ChatGPT - Germany', 'chatgpt'],
    ['GPT-4o [API]', 'chatgpt'],
    ['chat.openai.com', 'chatgpt'],
    ['www.perplexity.ai', 'perplexity'],
    ['Perplexity Pro (US)', 'perplexity'],
    ['Google AI Overviews (US)', 'google_ai_overviews'],
    ['AI Overview - US', 'google_ai_overviews'],
    ['copilot.cloud.microsoft', 'copilot'],
    ['gemma', 'gemini'],
    ['google/gemma-2-9b-it', 'gemini'],
    ['llama', 'meta_ai'],
    ['AI Mode', 'google_ai_mode'],
    ['google-ai-mode', 'google_ai_mode'],
    ['ai-overview', 'google_ai_overviews'],
    ['Gemini', 'gemini'],
    ['gemini-2.5-pro', 'gemini'],
    ['bing chat', 'copilot'],
    ['sonar-pro', 'perplexity'],
    ['claude-3-5-sonnet-20241022', 'claude'],
    ['claude-opus-4-1', 'claude'],
    ['grok-3', 'grok'],
    ['Llama-3.3-70B', 'meta_ai'],
    ['Le Chat', 'mistral'],
    ['mistral-large-latest', 'mistral'],
    ['deepseek-r1', 'deepseek'],
    ['You.com', 'you'],
    ['Rufus', 'amazon_rufus'],
    ['openai/gpt-4o', 'chatgpt'],
    ['openai/gpt-4o:online', 'chatgpt'],
    ['azure/gpt-4o-2024-08-06', 'chatgpt'],
    ['openai/gpt-oss-120b:free', 'chatgpt'],
    ['o1-preview', 'chatgpt'],
    ['ChatGPT Plus', 'chatgpt'],
    ['chatgpt-search', 'chatgpt'],
    ['ChatGPT Atlas', 'chatgpt'],
    ['models/gemini-2.0-flash', 'gemini'],
    ['publishers/google/models/gemini-2.5-pro', 'gemini'],
    ['Gemini Advanced', 'gemini'],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude'],
    ['anthropic.claude-v2', 'claude'],
    ['claude-3-5-sonnet@20240620', 'claude'],
    ['Perplexity Pro', 'perplexity'],
    ['perplexity/llama-3.1-sonar-large-128k-online', 'perplexity'],
    ['r1-1776', 'perplexity'],
    ['sonar', 'perplexity'],
    ['Microsoft 365 Copilot', 'copilot'],
    ['Copilot', 'copilot'],
    ['googleAiOverviews', 'google_ai_overviews'],
    ['googleAiOverview', 'google_ai_overviews'],
    ['googleAiMode', 'google_ai_mode'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'meta_ai'],
    ['meta.llama3-1-70b-instruct-v1:0', 'meta_ai'],
    ['mistral.mistral-large-2402-v1:0', 'mistral'],
    ['codestral-latest', 'mistral'],
    ['pixtral-12b', 'mistral'],
    ['devstral-small', 'mistral'],
    ['magistral-medium', 'mistral'],
    ['qwen-max', 'qwen'],
    ['qwq-32b', 'qwen'],
    ['qwen/qwen2.5-72b-instruct', 'qwen'],
    ['kimi-latest', 'kimi'],
    ['deepseek.r1-v1:0', 'deepseek'],
    ['x-ai/grok-3-beta', 'grok'],
  ])('%s is %s', (text, id) => {
    expect(resolvePlatform(text)).toBe(id)
  })

  test.each([
    '',
    ' ',
    '__',
    'Google',
    'chatgp',
    'o',
    'claude code',
    'octopus',
    'gptzero',
    'constructor',
    'O2',
    'o3media',
    'nvidia/llama-3.1-nemotron-70b-instruct',
    'Amazon Premium',
    'Google Search',
    'openai/',
    'a/b/c',
  ])('%j is none', (text) => {
    expect(resolvePlatform(text)).toBeNull()
  })
})

test('namedPlatform knows names, and no model ids', () => {
  expect(namedPlatform('Open-AI')).toBe('chatgpt')
  expect(namedPlatform('gpt-4o')).toBeNull()
})

describe('platformId', () => {
  test.each([
    ['OpenAI', 'chatgpt'],
    ['My Assistant 2', 'my_assistant_2'],
    [' --Café.Bot!! ', 'cafe_bot'],
    ['(ChatGPT)', 'chatgpt'],
    ['x'.repeat(80), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('%j has the id %s', (text, id) => {
    expect(platformId(text)).toBe(id)
  })

  test.each(['', '  ', '!?', '助手'])('%j has none', (text) => {
    expect(platformId(text)).toBeNull()
  })

  test('an id is well formed, and its own id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const id = platformId(text)
        if (id === null) return
        expect(id).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/)
        expect(id.length).toBeLessThanOrEqual(64)
        expect(platformId(id)).toBe(id)
      }),
      { numRuns: 1000 },
    )
  })
})
