export type LabelValue = string | number

interface Branch<Kept> {
  readonly next: Map<LabelValue, Branch<Kept>>
  kept?: Kept
}

/**
 * What is kept for each set of values of labels. It is found by one value after the other: prom-client puts a text
 * together each time, which takes ten times as long.
 */
export class ByLabels<Kept extends object> {
  readonly #root: Branch<Kept> = { next: new Map() }
  readonly #all: { readonly values: readonly LabelValue[]; readonly kept: Kept }[] = []
  readonly #make: () => Kept

  constructor(make: () => Kept) {
    this.#make = make
  }

  /** @param values one for each label, in the order of the labels */
  at(values: readonly LabelValue[]): Kept {
    let branch = this.#root
    for (const value of values) {
      let next = branch.next.get(value)
      if (next === undefined) {
        next = { next: new Map() }
        branch.next.set(value, next)
      }
      branch = next
    }
    if (branch.kept === undefined) {
      branch.kept = this.#make()
      this.#all.push({ values, kept: branch.kept })
    }
    return branch.kept
  }

  /** All, with their labels by name. */
  named(names: readonly string[]) {
    return this.#all.map(({ values, kept }) => {
      const labels = names.map((name, place) => [name, values[place] ?? ''] as const)
      return { labels: Object.fromEntries(labels), kept }
    })
  }
}
