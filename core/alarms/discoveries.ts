/** What is counted in two windows, such as the answers to a prompt and those of them that mention the brand. */
export interface Counts {
  readonly before: number
  readonly ofBefore: number
  readonly now: number
  readonly ofNow: number
}

/** Shares of the two windows that a change may have. */
type Alternative = readonly [before: number, now: number]

const shares = Array.from({ length: 19 }, (_, at) => at + 1)
/** Shares in twentieths: those that differ by more than 0.15 are worth a report. */
const turned: readonly Alternative[] = shares.flatMap((before) =>
  shares.filter((now) => Math.abs(before - now) > 3).map((now) => [before / 20, now / 20] as const),
)
/** Nothing in one window, and a half to a thousandth of the answers in the other: most sources are cited seldom. */
const appeared: readonly Alternative[] = Array.from(
  { length: 10 },
  (_, at) => 0.5 ** (at + 1),
).flatMap((share) => [[0, share] as const, [share, 0] as const])

const times = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share))
const logOf = (p: number, k: number, n: number) => times(k, p) + times(n - k, 1 - p)

/**
 * The evidence that a share changed between two windows: at most 1 on average where it did not.
 * @see Turner, Ly & Grünwald (2021), Generic E-variables for exact sequential k-sample tests, arXiv 2106.02693
 */
function evidenceOf(
  { before, ofBefore, now, ofNow }: Counts,
  alternatives: readonly Alternative[],
): number {
  if (ofBefore === 0 || ofNow === 0) return 1
  const sum = alternatives.reduce((total, [a, b]) => {
    const alike = (ofBefore * a + ofNow * b) / (ofBefore + ofNow)
    const apart = logOf(a, before, ofBefore) + logOf(b, now, ofNow)
    return total + Math.exp(apart - logOf(alike, before + now, ofBefore + ofNow))
  }, 0)
  return sum / alternatives.length
}

/** Of a prompt whose answers mention the brand less, or more. */
export const evidenceOfChange = (counts: Counts) => evidenceOf(counts, turned)

/** Of a source that answers cite in one of the windows only. */
export const evidenceOfSource = (counts: Counts) => evidenceOf(counts, appeared)

/** The share of false reports among those of changes, at most. */
const falseDiscoveryRate = 0.1

/**
 * What changed, the surest first: at most a tenth of it did not, however the rows depend on each other.
 * @param tested all that was counted, where `rows` leaves out what cannot have changed
 * @see Wang & Ramdas (2022), False discovery rate control with e-values, JRSS B 84 (3): e-BH
 */
function discoveriesOf<Row extends Counts>(
  rows: readonly Row[],
  evidence: (row: Row) => number,
  tested = rows.length,
): Row[] {
  const sorted = rows
    .map((row) => ({ row, evidence: evidence(row) }))
    .sort((a, b) => b.evidence - a.evidence)
  const last = sorted.findLastIndex(
    (it, at) => it.evidence >= tested / (falseDiscoveryRate * (at + 1)),
  )
  return sorted.slice(0, last + 1).map(({ row }) => row)
}

const rose = ({ before, ofBefore, now, ofNow }: Counts) => now * ofBefore > before * ofNow

/** The prompts whose answers mention the brand less, and more. */
export function changedPrompts<Prompt extends Counts>(prompts: readonly Prompt[]) {
  const changed = discoveriesOf(prompts, evidenceOfChange)
  return { lost: changed.filter((prompt) => !rose(prompt)), won: changed.filter(rose) }
}

/**
 * The sources that answers cite only since the change, and only before it.
 * @param tested sources of both windows, also those that are in both
 */
export function changedSources<Source extends Counts>(sources: readonly Source[], tested: number) {
  const changed = discoveriesOf(sources, evidenceOfSource, tested)
  return { found: changed.filter(rose), gone: changed.filter((source) => !rose(source)) }
}
