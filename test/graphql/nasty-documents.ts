/** A document that a walk may take long over, and the variables that go with it. */
export interface NastyDocument {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

const times = (n: number, make: (i: number) => string, between = ' ') =>
  Array.from({ length: n }, (_, i) => make(i)).join(between)

/**
 * Fragments that each spread the next one twice, or several next ones: a walk that forgets where it has been takes
 * `2 ** depth` steps.
 * @param on the type of the fragments
 */
function chain(on: string, depth: number, { end = '__typename', others = 0, own = '' } = {}) {
  const spread = (i: number) => `...f${Math.min(i, depth)}`
  const next = (i: number) =>
    others ? times(others, (k) => spread(i + 1 + k)) : `${spread(i + 1)} ${spread(i + 1)}`
  const levels = times(depth, (i) => `fragment f${i} on ${on} { ${own} ${next(i)} }`)
  return `${levels} fragment f${depth} on ${on} { ${end} }`
}

/**
 * Documents by what they have too much of, within the limits of tokens and bytes.
 * @param n how much, at most 24
 */
export function nastyDocuments(n: number): Readonly<Record<string, NastyDocument>> {
  const many = n * 12
  const id = '00000000-0000-4000-8000-000000000000'
  const inProject = (selection: string) => `{ project(id: "${id}") { ${selection} } }`
  return {
    'fragments of the root': { query: `{ ...f0 } ${chain('Query', n)}` },
    'fragments of a project': { query: `${inProject('...f0')} ${chain('Project', n)}` },
    'fragments that spread eight others': {
      query: `{ ...f0 } ${chain('Query', n, { others: 8 })}`,
    },
    'fragments of an introspection': { query: `{ __schema { ...f0 } } ${chain('__Schema', n)}` },
    'fragments of a mutation': {
      query: `mutation { ...f0 } ${chain('Mutation', n)}`,
    },
    'fragments with a variable': {
      query: `query Q($is: Boolean!) { ...f0 } ${chain('Query', n, { end: 'currentKey @include(if: $is) { id }' })}`,
      variables: { is: false },
    },
    'fragments in a circle': {
      query: `{ ...f0 } ${chain('Query', n, { end: '...f0' })}`,
    },
    'fragments with a list of a variable': {
      query: `query Q($ids: [ID!]!) { ...f0 } ${chain('Query', Math.min(n, 12), { end: 'nodes(ids: $ids) { __typename }' })}`,
      variables: { ids: Array.from({ length: many * 25 }, (_, i) => String(i)) },
    },
    'inline fragments in each other': {
      query: `{ ${'... { '.repeat(many)} currentKey { id } ${'} '.repeat(many)} }`,
    },
    'aliases of a type': {
      query: `{ ${times(30, (i) => `a${i}: __type(name: "Project") { ...t }`)} } fragment t on __Type { name fields { name args { name type { name ofType { name } } } type { name ofType { name ofType { name } } } } }`,
    },
    'directives of fragments': {
      query: `{ ${times(many / 2, () => '...f @include(if: true)')} } fragment f on Query { currentKey { id } }`,
    },
    'repeated fields in each other': {
      query: `{ ${times(many / 4, () => 'currentKey { user { id } user { id } }')} }`,
    },
    'lists in each other': {
      query: `{ nodes(ids: ${'['.repeat(many)}${']'.repeat(many)}) { id } }`,
    },
    'a long list': { query: `{ nodes(ids: [${times(many * 4, (i) => `"${i}"`)}]) { id } }` },
    'variables that are wrong': {
      query: `query Q(${times(many / 2, (i) => `$v${i}: ID!`)}) { ${times(many / 2, (i) => `project(id: $v${i}) { id }`)} }`,
      variables: Object.fromEntries(Array.from({ length: many / 2 }, (_, i) => [`v${i}`, {}])),
    },
    'a variable with many wrong members': {
      query: `query Q($window: Window) { ${times(many, () => 'currentKey { id }')} project(id: "${id}") { visibility(window: $window) { summary { answerCount } } } }`,
      variables: {
        window: Object.fromEntries(Array.from({ length: many * 15 }, (_, i) => [`w${i}`, i])),
      },
    },
    'deep fields': {
      query: inProject(
        `${'topics { nodes { prompts { nodes { project { '.repeat(n)} id ${'} } } } } '.repeat(n)}`,
      ),
    },
  }
}
