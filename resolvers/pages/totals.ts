/** The sum of a number over all days; null while no data source is connected. */
export function totalOf<Day>(
  { available, series }: { readonly available: boolean; readonly series: readonly Day[] },
  of: (day: Day) => number,
): number | null {
  return available ? series.reduce((sum, day) => sum + of(day), 0) : null
}

/** The same by a name of each day, the largest first, ties by name. */
export function totalsBy<Day>(
  { series }: { readonly series: readonly Day[] },
  nameOf: (day: Day) => string,
  of: (day: Day) => number,
): { readonly name: string; readonly total: number }[] {
  const byName = Map.groupBy(series, nameOf)
  return [...byName]
    .map(([name, days]) => ({ name, total: days.reduce((sum, day) => sum + of(day), 0) }))
    .toSorted((a, b) => b.total - a.total || a.name.localeCompare(b.name, 'en'))
}
