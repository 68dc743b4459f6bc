import { hash } from 'node:crypto'
import { inventAnswer } from '../answers.ts'
import { drawFrom } from '../random.ts'
import { openSources } from '../sources.ts'
import { isAboutOwnBrand, topics } from '../topics.ts'
import type { Assistant } from './world.ts'

/** The share of replies without an answer, which a filter of the provider holds back. */
const filtered = 0.04
/** What a model reads and writes beside the words of prompt and answer is left out. */
const tokensOfWord = 1.3

const seedOf = (...texts: readonly string[]) =>
  Number.parseInt(hash('sha256', texts.join('\n')).slice(0, 8), 16)

const tokensIn = (text: string) => Math.ceil(text.split(/\s+/).length * tokensOfWord)

/** The topic of a prompt of the demonstration. Another prompt has one of its own, always the same. */
function topicOf(prompt: string) {
  const known = topics.find(({ prompts }) => prompts.includes(prompt))
  const general = topics.filter((topic) => !isAboutOwnBrand(topic))
  return known ?? drawFrom(seedOf(prompt)).pick(general)
}

/** Prompts differ: some name brands in few answers, and some in most. */
const leanOf = (prompt: string) => 0.3 + 1.4 * drawFrom(seedOf('lean', prompt)).next()

/** A question as the invented provider gets it. */
export interface Asking {
  readonly prompt: string
  /** How often the run has asked this prompt, from 1. */
  readonly time: number
  /** Other runs get other answers. */
  readonly runId: string
  readonly askedAt: Date
}

/** An invented answer. The same question of the same run always has the same one. */
export function inventReply(
  { label, by }: Pick<Assistant, 'label' | 'by'>,
  { prompt, time, runId, askedAt }: Asking,
) {
  const draw = drawFrom(seedOf(runId, label, prompt, String(time)))
  const isFiltered = draw.chance(filtered)
  const asked = { topic: topicOf(prompt), by, home: 1, lean: leanOf(prompt), at: 1 }
  const found = inventAnswer(draw, asked, openSources(draw), askedAt.getUTCFullYear())
  return { ...found, isFiltered }
}

/** A body of chat completions. */
export function replyTo(assistant: Assistant, asking: Asking): object {
  const { provider, cost } = assistant
  const { prompt, askedAt } = asking
  const { text, pages, isFiltered } = inventReply(assistant, asking)
  const content = isFiltered ? '' : text
  const [inputTokens, outputTokens] = [tokensIn(prompt), isFiltered ? 0 : tokensIn(text)]
  return {
    object: 'chat.completion',
    // Nobody must take an invented answer for one of a model.
    model: 'invented',
    created: Math.floor(askedAt.getTime() / 1000),
    choices: [
      {
        finish_reason: isFiltered ? 'content_filter' : 'stop',
        message: { role: 'assistant', content },
      },
    ],
    citations: isFiltered ? [] : pages,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      cost: provider === 'perplexity' ? { total_cost: cost } : cost,
    },
  }
}
