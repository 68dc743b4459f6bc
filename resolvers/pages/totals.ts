/** The sum of a number over all days; null while no data source is connected. */
export function totalOf<Day>(
  { available, days }: { readonly available: boolean; readonly days: readonly Day[] },
  of: (day: Day) => number,
): number | null {
  return available ? days.reduce((sum, day) => sum + of(day), 0) : null
}

/** The same by a name of each day, the largest first, ties by name. */
export function totalsBy<Day extends { readonly projectId: string }>(
  { days }: { readonly days: readonly Day[] },
  nameOf: (day: Day) => string,
  of: (day: Day) => number,
): { readonly projectId: string; readonly name: string; readonly total: number }[] {
  const byName = Map.groupBy(days, nameOf)
  return [...byName]
    .map(([name, some]) => ({
      projectId: some[0]?.projectId ?? '',
      name,
      total: some.reduce((sum, day) => sum + of(day), 0),
    }))
    .toSorted((a, b) => b.total - a.total || a.name.localeCompare(b.name, 'en'))
}
