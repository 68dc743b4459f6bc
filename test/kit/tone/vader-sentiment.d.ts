/** The parts of the package that Sightline uses; the package has no types. */
declare module 'vader-sentiment' {
  /** Rules of VADER, one step each. A valence is the weight of a word, -4 to 4. */
  export const SentimentIntensityAnalyzer: {
    /** Adds the valence of `word` at `index`, adjusted by the words before. */
    sentiment_valence(
      valence: number,
      text: { readonly words_and_emoticons: string[]; readonly is_cap_diff: boolean },
      word: string,
      index: number,
      valences: number[],
    ): number[]
    /** Words after a "but" weigh more than words before it. */
    but_check(words: string[], valences: number[]): number[]
    /** `text` supplies exclamation and question marks. `compound` runs from -1 to 1. */
    score_valence(valences: number[], text: string): { readonly compound: number }
  }
}
