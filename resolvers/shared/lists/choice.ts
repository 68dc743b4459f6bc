/** What narrows a list by a closed column: one value of REST, several of the graph. */
export type Choice<Value> = Value | readonly Value[] | null | undefined

/** The values of a choice; null where it narrows nothing, as an empty filter does. */
export function chosen<Value extends string>(choice: Choice<Value>): readonly Value[] | null {
  if (typeof choice === 'string') return [choice]
  return choice && choice.length > 0 ? choice : null
}
