import {
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
} from 'graphql'

/**
 * Changes that break a GraphQL client of `before`, one sentence each, in the words of graphql-js. A changed default
 * of an argument counts: the same query then returns other data.
 */
export function schemaBreaks(before: string, after: string): string[] {
  const [was, is] = [buildSchema(before), buildSchema(after)]
  const changes = [
    ...findBreakingChanges(was, is),
    ...findDangerousChanges(was, is).filter(
      ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
    ),
  ]
  return [...new Set(changes.map(({ description }) => description))]
}
