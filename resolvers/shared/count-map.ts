/** The keys of a count map, highest count first, ties by name. */
export function mostFirst(counts: Record<string, number>): string[] {
  return Object.entries(counts)
    .filter(([key]) => key !== '')
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([key]) => key)
}
