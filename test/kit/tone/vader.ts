import { SentimentIntensityAnalyzer as Vader } from 'vader-sentiment'
import type { Span } from '../../../core/text/mentions.ts'
import { type Sentence, type Sentences, sentencesOf } from './sentences.ts'

const marks =
  /\]\([^\s()]{0,2000}(?:\s{1,9}"[^"\n]{0,500}")?\)|https?:\/\/\S{1,2000}|[*_`~|<>[\]#=]+|[—–/]/g
const edges = /^[!-/:-@[-`{-~“”„…]+|[!-/:-@[-`{-~“”„…]+$/g
const isUpper = (word: string) => /[A-Z]/.test(word) && !/[a-z]/.test(word)

/** Words without Markdown and punctuation; a word of punctuation alone stays, since it may be an emoticon. */
function wordsOf(sentence: string): string[] {
  const words: string[] = []
  for (const part of sentence.replace(marks, ' ').replaceAll('’', "'").split(/\s+/)) {
    const word = part.replace(edges, '')
    if (part.length > 1) words.push(word.length > 1 ? word : part)
  }
  return words
}

/** VADER's compound score. VADER's own tokenizer takes ten times as long and misreads Markdown. */
function compound(sentence: string): number {
  const words = wordsOf(sentence)
  const text = {
    words_and_emoticons: words,
    is_cap_diff: words.some(isUpper) && !words.every(isUpper),
  }
  let valences: number[] = []
  for (const [index, word] of words.entries()) {
    valences = Vader.sentiment_valence(0, text, word, index, valences)
  }
  if (!valences.some((valence) => valence !== 0)) return 0
  return Vader.score_valence(Vader.but_check(words, valences), sentence).compound
}

/** Scores sentences by index, without the brand names in them; each score is computed once. */
function openScores(markdown: string, { sentences }: Sentences, spans: readonly Span[]) {
  const scores = new Map<number, number>()
  const nameless = ({ start, end }: Sentence): string => {
    let [text, from] = ['', start]
    for (let at = lowerBound(spans, start); at < spans.length; at++) {
      const span = spans[at]
      if (span === undefined || span.start >= end) break
      text += `${markdown.slice(from, Math.max(from, span.start))} `
      from = Math.max(from, Math.min(span.end, end))
    }
    return text + markdown.slice(from, end)
  }
  return (at: number): number => {
    const sentence = sentences[at]
    if (sentence === undefined) return 0
    const score = scores.get(at) ?? compound(nameless(sentence))
    scores.set(at, score)
    return score
  }
}

/** Index of the first item whose `start` is at least `from`. */
function lowerBound(spans: readonly Span[], from: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.start ?? 0) < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Sentences about the brands that a sentence names: the sentence, and after a title the next block. */
function speakingWith({ sentences, lines }: Sentences, own: number): number[] {
  const line = sentences[own]?.line ?? 0
  const speaking = [own]
  if (!lines[line]?.isTitle) return speaking
  const block = lines[line + 1]?.block
  for (let at = own + 1; at < sentences.length; at++) {
    const next = sentences[at]?.line ?? 0
    if (next === line) continue
    if (lines[next]?.isTitle || lines[next]?.block !== block) break
    speaking.push(at)
  }
  return speaking
}

/**
 * How tones were rated before. The mean of VADER's scores of the sentences that name the brand and hold a word of
 * opinion. A heading counts with the paragraph below it.
 * @see Hutto, C. J. & Gilbert, E. (2014), VADER: A Parsimonious Rule-based Model for Sentiment Analysis
 */
export function vaderSentimentsOf(
  markdown: string,
  mentions: readonly { readonly spans: readonly Span[] }[],
): number[] {
  if (mentions.length === 0) return []
  const found = sentencesOf(markdown)
  const { sentences } = found
  const spans = mentions.flatMap((mention) => mention.spans).sort((a, b) => a.start - b.start)
  const scoreAt = openScores(markdown, found, spans)
  return mentions.map((mention) => {
    const naming = new Set(mention.spans.map(({ start }) => lowerBound(sentences, start + 1) - 1))
    const speaking = new Set([...naming].flatMap((own) => speakingWith(found, own)))
    const opinions = [...speaking].map(scoreAt).filter((score) => score !== 0)
    if (opinions.length === 0) return 0
    const mean = opinions.reduce((sum, score) => sum + score, 0) / opinions.length
    return Math.round(mean * 10_000) / 10_000
  })
}
