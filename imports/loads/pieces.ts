/** Values of one parameter: the engine bounds its size. */
const valuesAtOnce = 2000

/** The values in lists that fit into one parameter of a statement. */
export function piecesOf<Value>(values: readonly Value[]): Value[][] {
  const count = Math.ceil(values.length / valuesAtOnce)
  return Array.from({ length: count }, (_, at) =>
    values.slice(at * valuesAtOnce, (at + 1) * valuesAtOnce),
  )
}
