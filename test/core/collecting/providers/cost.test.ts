import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { costOf, expectedCost } from '../../../../core/collecting/providers/cost.ts'
import { readReply } from '../../../../core/collecting/providers/read.ts'
import type { AskedProvider } from '../../../../core/collecting/providers/request.ts'
import { realData } from '../../../kit/real-data.ts'

/** What is expected before a question is asked, beside the cost of recorded answers by hand, in US dollars. */
const recorded = [
  // 19,681 and 3,773 tokens at $0.25 and $2 a million, and a search.
  ['openai', 'openai-responses-web-search', 0.0224663],
  // 27,118 and 600 tokens at $3 and $15 a million, and two searches.
  ['anthropic', 'anthropic-web-search', 0.110354],
  // 136 and 414 tokens at $1.25 and $10 a million, and a grounded prompt.
  ['gemini', 'gemini-generate-content-grounding', 0.03931],
  // 151 and 1,222 tokens at $0.30 and $2.50 a million, and a grounded prompt.
  ['gemini', 'gemini-interactions-google-search', 0.0381],
  // 10 and 251 tokens at $1 a million, and what a call costs.
  ['perplexity', 'perplexity-sonar-citations', 0.005261],
  // 1,941 and 583 tokens at $0.20 and $0.50 a million, and a search.
  ['xai', 'xai-responses-web-search', 0.00568],
  // Its own figure.
  ['openrouter', 'openrouter-chat-annotations', 0.007637],
] as const

/** Bodies that come with Sightline. */
const ofTests = [
  // Its own figures.
  ['perplexity', 'perplexity-usage', 0.00501],
  ['openrouter', 'openrouter-search', 0.0133176],
  // 1,500 and 60 tokens at $0.40 and $2 a million, and a search: written by hand, in the shape of the documentation.
  ['mistral', 'mistral-conversation', 0.03072],
] as const

async function compare(provider: AskedProvider, body: string, byHand: number) {
  const reply = readReply(JSON.parse(body))
  const model = reply?.model ?? ''
  expect(reply && (await costOf(provider, model, reply.usage))).toBeCloseTo(byHand, 4)
  const ratio = ((await expectedCost(provider, model)) ?? 0) / byHand
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.2)
}

describe('the expected cost is within 20 % of what an answer costs', () => {
  test.each(ofTests)('%s: %s', async (provider, name, byHand) => {
    await compare(provider, readFileSync(`test/fixtures/providers/${name}.json`, 'utf8'), byHand)
  })

  describe.each(recorded)('%s: %s', (provider, name, byHand) => {
    const { isAbsent, text } = realData(`data/providers/${name}.json`)
    test.skipIf(isAbsent)('as recorded', () => compare(provider, text, byHand))
  })
})
