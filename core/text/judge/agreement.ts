import type { Tone } from '../sentiment.ts'

/** How many mentions the lexicon and the judge rated so. */
export interface RatedTwice {
  readonly lexicon: Tone
  readonly judge: Tone
  readonly mentions: number
}

export interface Agreement {
  /** Mentions that both rated. */
  readonly compared: number
  /** Mentions that both rated alike. */
  readonly agreed: number
  /** Agreement beyond chance, at most 1; null without spread. */
  readonly kappa: number | null
}

/**
 * How far two raters agree.
 * @see Cohen, J. (1960), A coefficient of agreement for nominal scales
 */
export function agreementOf(pairs: readonly RatedTwice[]): Agreement {
  let [compared, agreed] = [0, 0]
  const [byLexicon, byJudge] = [new Map<Tone, number>(), new Map<Tone, number>()]
  for (const { lexicon, judge, mentions } of pairs) {
    compared += mentions
    if (lexicon === judge) agreed += mentions
    byLexicon.set(lexicon, (byLexicon.get(lexicon) ?? 0) + mentions)
    byJudge.set(judge, (byJudge.get(judge) ?? 0) + mentions)
  }
  const chance = [...byLexicon].reduce(
    (sum, [tone, count]) => sum + count * (byJudge.get(tone) ?? 0),
    0,
  )
  const spread = compared * compared - chance
  const kappa = spread === 0 ? null : (agreed * compared - chance) / spread
  return { compared, agreed, kappa }
}
