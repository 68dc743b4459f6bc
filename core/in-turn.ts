/** The rows of some lists, one of each in turn. */
export function inTurn<Row>(lists: readonly (readonly Row[])[]): Row[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat()
}
