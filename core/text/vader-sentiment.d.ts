/** The parts of the package that are used; it brings no types. */
declare module 'vader-sentiment' {
  /** Its rules, one step each. A valence is what a word weighs, -4 to 4. */
  export const SentimentIntensityAnalyzer: {
    /** Adds the valence of `word`, the one at `index`, in the light of those before it. */
    sentiment_valence(
      valence: number,
      text: { readonly words_and_emoticons: string[]; readonly is_cap_diff: boolean },
      word: string,
      index: number,
      valences: number[],
    ): number[]
    /** What follows a "but" weighs more than what stands before it. */
    but_check(words: string[], valences: number[]): number[]
    /** `text` is read for exclamation and question marks. `compound` runs from -1 to 1. */
    score_valence(valences: number[], text: string): { readonly compound: number }
  }
}
