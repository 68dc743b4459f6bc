import type { LabelKind } from './labels.ts'
import type { Opinion } from './opinions.ts'

interface Account {
  good: number
  bad: number
  /** Whether some clause says more of the brand than its name. */
  isSpokenOf: boolean
}

/** Words beside the name from which a clause says something. */
const enoughWords = 3
/** Praise of a brand to which another compares badly. */
const comparedWell = 0.5
/** Blame of a brand that another outdoes. */
const comparedBadly = 0.5
/** How far blame outweighs praise, which answers hand out freely. */
const weightOfBlame = 1
/** Opinion that a brand has without any: a single word decides nothing. */
const reserve = 1
/** Balance at which a score leaves zero. */
const balance = 0.3

/** What a clause adds to a brand under its label: under "Cons" all of it is blame. */
export function weighed(
  { good, bad }: Opinion,
  label: LabelKind,
): { readonly good: number; readonly bad: number } {
  if (label === 'blame') return { good: 0, bad: Math.max(1, bad) }
  return label === 'praise' ? { good: Math.max(1, good), bad: 0 } : { good, bad }
}

/** What a clause says of brands with which it compares another: its blame of the other praises them. */
export function comparedBy({ good, bad }: Opinion, isOutdone: boolean): number {
  if (bad > good) return comparedWell
  return isOutdone && good > bad ? -comparedBadly : 0
}

/** Notes what the clauses of an answer say of each brand, in their order. */
export interface Notes {
  /** A clause begins: what follows is of these places of the answer. */
  at(start: number, end: number): void
  /** A clause that speaks of brands, under a label such as "Pros". */
  add(brands: readonly number[], opinion: Opinion, label: LabelKind): void
  /**
   * Brands with which a clause compares another.
   * @param isOutdone whether its praise of the other blames them
   */
  compare(brands: readonly number[], opinion: Opinion, isOutdone: boolean): void
}

/** Adds up what the clauses of an answer say of each brand. */
export class Ledger implements Notes {
  readonly #accounts: Account[]

  constructor(brands: number) {
    this.#accounts = Array.from({ length: brands }, () => ({ good: 0, bad: 0, isSpokenOf: false }))
  }

  /** The sums do not depend on the places. */
  at(): void {}

  add(brands: readonly number[], opinion: Opinion, label: LabelKind): void {
    const { good, bad, words } = opinion
    if (words === 0) return
    const added = weighed(opinion, label)
    for (const brand of brands) {
      const account = this.#accounts[brand]
      if (account === undefined) continue
      account.good += added.good
      account.bad += added.bad
      if (words >= enoughWords || good + bad > 0 || label === 'praise' || label === 'blame') {
        account.isSpokenOf = true
      }
    }
  }

  compare(brands: readonly number[], opinion: Opinion, isOutdone: boolean): void {
    const compared = comparedBy(opinion, isOutdone)
    if (compared === 0) return
    for (const brand of brands) {
      const account = this.#accounts[brand]
      if (account === undefined) continue
      if (compared > 0) account.good += compared
      else account.bad -= compared
      account.isSpokenOf = true
    }
  }

  /** Score of a brand, -1 to 1; null where the answer only names it. */
  score(brand: number): number | null {
    const account = this.#accounts[brand]
    if (account === undefined || !account.isSpokenOf) return null
    const [good, bad] = [account.good, account.bad * weightOfBlame]
    const share = (good - bad) / (good + bad + reserve)
    if (Math.abs(share) < balance) return 0
    return Math.round(share * 10_000) / 10_000
  }
}
