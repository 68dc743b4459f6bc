import { setImmediate as nextTurn } from 'node:timers/promises'
import { notFound } from '../../core/errors.ts'
import { excerptOf } from '../../core/text/excerpt.ts'
import { languageOf } from '../../core/text/languages/detect.ts'
import { type OpinionSentence, opinionSentences } from '../../core/text/tone/sentences.ts'
import type { Db } from '../../prisma/client.ts'
import { matchersOf, mostAtOnce } from './places.ts'
import type { AnswerRow } from './whole.ts'

/** Sentences of one answer about one brand. */
const mostSentences = 5
const sentenceLength = 300

/**
 * The sentences of each answer that praise or blame a brand, the strongest first. An answer that the lexicon could not
 * rate, as in another language, has none.
 * @param brandId the own brand unless given
 * @throws {Fault} `not_found` for a brand that no project of the answers tracks
 */
export async function opinionsOfAnswers(
  db: Db,
  answers: readonly AnswerRow[],
  { brandId }: { readonly brandId?: string | null | undefined },
): Promise<readonly OpinionSentence[][]> {
  const matchers = await matchersOf(db, [...new Set(answers.map(({ projectId }) => projectId))])
  const isTracked = (id: string) => [...matchers.values()].some(({ brandIds }) => brandIds.has(id))
  if (brandId != null && !isTracked(brandId.toLowerCase())) throw notFound(brandId)
  const found: OpinionSentence[][] = []
  let searched = 0
  for (const { projectId, text, platform, mentions } of answers) {
    const brand = brandId?.toLowerCase() ?? projectId
    const isRated = mentions.some((each) => each.brandId === brand && each.sentiment !== null)
    const named = isRated ? (matchers.get(projectId)?.find(text, platform) ?? []) : []
    const at = named.findIndex((each) => each.brandId === brand)
    const sentences = at < 0 ? [] : opinionSentences(text, named, at, languageOf, platform)
    found.push(
      sentences.slice(0, mostSentences).map(({ text: sentence, tone }) => ({
        text: excerptOf(sentence, null, sentenceLength),
        tone,
      })),
    )
    searched += text.length
    if (searched > mostAtOnce) {
      searched = 0
      await nextTurn()
    }
  }
  return found
}
