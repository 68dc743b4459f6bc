/** Answers to one prompt in two windows, and how many of them mention the brand. */
export interface Counts {
  readonly before: number
  readonly ofBefore: number
  readonly now: number
  readonly ofNow: number
}

const logOf = (p: number, k: number, n: number) => k * Math.log(p) + (n - k) * Math.log(1 - p)

/** Shares in twentieths: those that differ by more than 0.15 are worth a report. */
const shares = Array.from({ length: 19 }, (_, at) => at + 1)
const alternatives = shares.flatMap((a) => {
  return shares.filter((b) => Math.abs(a - b) > 3).map((b) => ({ a: a / 20, b: b / 20 }))
})

/**
 * The evidence that a prompt's share changed between two windows: at most 1 on average where it did not.
 * @see Turner, Ly & Grünwald (2021), Generic E-variables for exact sequential k-sample tests, arXiv 2106.02693
 */
export function evidenceOfChange({ before, ofBefore, now, ofNow }: Counts): number {
  if (ofBefore === 0 || ofNow === 0) return 1
  const sum = alternatives.reduce((total, { a, b }) => {
    const alike = (ofBefore * a + ofNow * b) / (ofBefore + ofNow)
    const apart = logOf(a, before, ofBefore) + logOf(b, now, ofNow)
    return total + Math.exp(apart - logOf(alike, before + now, ofBefore + ofNow))
  }, 0)
  return sum / alternatives.length
}

/** The share of false reports among those of changed prompts, at most. */
const falseDiscoveryRate = 0.1

/**
 * The prompts that changed: at most a tenth of them did not, however the prompts depend on each other.
 * @see Wang & Ramdas (2022), False discovery rate control with e-values, JRSS B 84 (3): e-BH
 */
export function changedPrompts<Prompt extends Counts>(
  prompts: readonly Prompt[],
  rate: number = falseDiscoveryRate,
): { readonly lost: Prompt[]; readonly won: Prompt[] } {
  const sorted = prompts
    .map((prompt) => ({ prompt, evidence: evidenceOfChange(prompt) }))
    .sort((a, b) => b.evidence - a.evidence)
  const last = sorted.findLastIndex(
    ({ evidence }, at) => evidence >= prompts.length / (rate * (at + 1)),
  )
  const changed = sorted.slice(0, last + 1).map(({ prompt }) => prompt)
  const rose = ({ before, ofBefore, now, ofNow }: Counts) => now * ofBefore > before * ofNow
  return { lost: changed.filter((prompt) => !rose(prompt)), won: changed.filter(rose) }
}
