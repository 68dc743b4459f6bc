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
    'fragments of the root with fields': {
      query: `{ ...f0 } ${chain('Query', n, { own: 'projects { nodes { id name } }', end: 'currentKey { id }' })}`,
    },
    'fragments of a project': { query: `${inProject('...f0')} ${chain('Project', n)}` },
    'fragments of another type': { query: `{ ...f0 } ${chain('Node', n)}` },
    'fragments that spread eight others': {
      query: `{ ...f0 } ${chain('Query', n, { others: 8 })}`,
    },
    'fragments of an introspection': { query: `{ __schema { ...f0 } } ${chain('__Schema', n)}` },
    'fragments of a type': {
      query: `{ __type(name: "Query") { ...f0 } } ${chain('__Type', n, { end: 'ofType { name }' })}`,
    },
    'fragments of a mutation': {
      query: `mutation { ...f0 } ${chain('Mutation', n)}`,
    },
    'fragments of a subscription': {
      query: `subscription { ...f0 } ${chain('Subscription', n)}`,
    },
    'fragments that are left out': {
      query: `{ ...f0 } ${chain('Query', n, { end: 'currentKey @skip(if: true) { id }' })}`,
    },
    'fragments with a variable': {
      query: `query Q($is: Boolean!) { ...f0 } ${chain('Query', n, { end: 'currentKey @include(if: $is) { id }' })}`,
      variables: { is: false },
    },
    'fragments in a circle': {
      query: `{ ...f0 } ${chain('Query', n, { end: '...f0' })}`,
    },
    'fragments of many operations': {
      query: `${times(n * 2, (i) => `query Q${i} { ...f0 }`)} ${chain('Query', n)}`,
    },
    'fragments that nothing spreads': {
      query: `{ currentKey { id } } ${chain('Query', n)}`,
    },
    'fragments of one name': {
      query: `{ ...f } ${times(many / 2, () => 'fragment f on Query { ...f ...f }')}`,
    },
    'fragments with a long list': {
      query: `{ ...f0 } ${chain('Query', Math.min(n, 12), { end: `nodes(ids: [${times(many, (i) => `"${i}"`)}]) { __typename }` })}`,
    },
    'fragments with a list of a variable': {
      query: `query Q($ids: [ID!]!) { ...f0 } ${chain('Query', Math.min(n, 12), { end: 'nodes(ids: $ids) { __typename }' })}`,
      variables: { ids: Array.from({ length: many * 25 }, (_, i) => String(i)) },
    },
    'inline fragments in each other': {
      query: `{ ${'... { '.repeat(many)} currentKey { id } ${'} '.repeat(many)} }`,
    },
    'inline fragments beside each other': {
      query: `{ ${times(many, () => '... on Query { currentKey { id } }')} }`,
    },
    aliases: { query: `{ ${times(many, (i) => `a${i}: currentKey { id }`)} }` },
    'aliases of the introspection': {
      query: `{ ${times(30, (i) => `a${i}: __schema { types { ...t } }`)} } fragment t on __Type { name fields { name args { name type { name ofType { name } } } type { name ofType { name ofType { name } } } } }`,
    },
    'aliases of a type': {
      query: `{ ${times(30, (i) => `a${i}: __type(name: "Project") { ...t }`)} } fragment t on __Type { name fields { name args { name type { name ofType { name } } } type { name ofType { name ofType { name } } } } }`,
    },
    'a deep introspection': {
      query: `{ __schema { types { ${'ofType { '.repeat(many)} name ${'} '.repeat(many)} } } }`,
    },
    'directives of a field': { query: `{ currentKey { id ${'@skip(if: false) '.repeat(many)} } }` },
    'directives that are unknown': { query: `{ currentKey { id ${'@x '.repeat(many)} } }` },
    'directives of fragments': {
      query: `{ ${times(many / 2, () => '...f @include(if: true)')} } fragment f on Query { currentKey { id } }`,
    },
    'repeated fields': { query: `{ currentKey { ${'id '.repeat(many * 4)} } }` },
    'repeated fields in each other': {
      query: `{ ${times(many / 4, () => 'currentKey { user { id } user { id } }')} }`,
    },
    'unknown fields': { query: `{ ${times(many, (i) => `currentKeys${i}`)} }` },
    'unknown fields of a project': { query: inProject(times(many, (i) => `visibilities${i}`)) },
    'unknown arguments': { query: `{ currentKey(${times(many, (i) => `keys${i}: 1`)}) { id } }` },
    'arguments that are wrong': {
      query: inProject(times(many / 3, () => 'topics(first: "x") { totalCount }')),
    },
    'lists in each other': {
      query: `{ nodes(ids: ${'['.repeat(many)}${']'.repeat(many)}) { id } }`,
    },
    'objects in each other': {
      query: inProject(
        `visibility(window: ${'{a:'.repeat(many)} 1 ${'}'.repeat(many)}) { totalCount }`,
      ),
    },
    'a long list': { query: `{ nodes(ids: [${times(many * 4, (i) => `"${i}"`)}]) { id } }` },
    'a long list that is wrong': {
      query: `{ nodes(ids: [${times(many * 4, () => '{}')}]) { id } }`,
    },
    'a long number': { query: inProject(`topics(first: ${'9'.repeat(many * 40)}) { totalCount }`) },
    'a long text': { query: `{ project(id: "${'\\u0041'.repeat(many * 10)}") { id } }` },
    'a long block of text': { query: `{ project(id: """${'\n '.repeat(many * 20)}""") { id } }` },
    'a long comment': { query: `# ${'x'.repeat(many * 60)}\n{ currentKey { id } }` },
    'variables that are not used': {
      query: `query Q(${times(many, (i) => `$v${i}: ID`)}) { currentKey { id } }`,
    },
    'variables that are wrong': {
      query: `query Q(${times(many / 2, (i) => `$v${i}: ID!`)}) { ${times(many / 2, (i) => `project(id: $v${i}) { id }`)} }`,
      variables: Object.fromEntries(Array.from({ length: many / 2 }, (_, i) => [`v${i}`, {}])),
    },
    'variables that nothing gives': {
      query: `query Q(${times(many / 3, (i) => `$v${i}: ID!`)}) { ${times(many / 3, (i) => `p${i}: project(id: $v${i}) { id }`)} }`,
    },
    'variables of one name': {
      query: `query Q(${times(many, () => '$v: ID')}) { node(id: $v) { id } }`,
    },
    'a list of a variable that is wrong': {
      query: `query Q($ids: [ID!]!) { ${times(many, () => 'currentKey { id }')} nodes(ids: $ids) { __typename } }`,
      variables: { ids: Array.from({ length: many * 60 }, () => ({})) },
    },
    'a variable with many wrong members': {
      query: `query Q($window: Window) { ${times(many, () => 'currentKey { id }')} project(id: "${id}") { visibility(window: $window) { summary { totalResponses } } } }`,
      variables: {
        window: Object.fromEntries(Array.from({ length: many * 15 }, (_, i) => [`w${i}`, i])),
      },
    },
    'a variable in lists of lists': {
      query: 'query Q($ids: [ID!]!) { nodes(ids: $ids) { __typename } }',
      variables: { ids: JSON.parse(`${'['.repeat(many)}${']'.repeat(many)}`) },
    },
    'many operations': { query: times(many, (i) => `query Q${i} { currentKey { id } }`) },
    'many operations of one name': { query: times(many, () => 'query Q { currentKey { id } }') },
    'deep fields': {
      query: inProject(
        `${'topics { nodes { prompts { nodes { project { '.repeat(n)} id ${'} } } } } '.repeat(n)}`,
      ),
    },
    'an unfinished document': { query: `{ ${'project { '.repeat(many)}` },
  }
}
