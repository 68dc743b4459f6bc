type LabelValue = string | number

interface Branch {
  readonly next: Map<LabelValue, Branch>
  /** Of the values that lead here; undefined where more values follow. */
  count?: number
}

/**
 * Counts by values of labels, from one scrape to the next. A count is found by one value after the other: prom-client puts
 * a text together each time, which takes ten times as long.
 */
export class Counts {
  readonly #root: Branch = { next: new Map() }
  readonly #all: { readonly values: readonly LabelValue[]; readonly at: Branch }[] = []

  /** Counts one, by a value for each label. */
  add(...values: LabelValue[]): void {
    const at = this.#at(values)
    at.count = (at.count ?? 0) + 1
  }

  /** Shows a count before there is one: an alert does not see the first rise of a new count. */
  begin(...values: LabelValue[]): void {
    this.#at(values)
  }

  #at(values: readonly LabelValue[]): Branch {
    let at = this.#root
    for (const value of values) {
      let next = at.next.get(value)
      if (next === undefined) {
        next = { next: new Map() }
        at.next.set(value, next)
      }
      at = next
    }
    if (at.count === undefined) {
      at.count = 0
      this.#all.push({ values, at })
    }
    return at
  }

  /** What was counted since the last call, 0 too. */
  take(): { readonly values: readonly LabelValue[]; readonly count: number }[] {
    return this.#all.map(({ values, at }) => {
      const { count = 0 } = at
      at.count = 0
      return { values, count }
    })
  }
}
