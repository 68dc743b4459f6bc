/**
 * The answer of a resolver that answers several projects, for its only one.
 * @throws the error of the project
 */
export function onlyOf<Answer>(answers: readonly (Answer | Error)[]): Answer {
  const [answer] = answers
  if (answer instanceof Error) throw answer
  if (answer === undefined) throw new Error('a report of no project')
  return answer
}
