import { readFile } from 'node:fs/promises'
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { endpoint, headers, newKey, say, textOf } from '../connect.ts'
import { AddPromptDocument, ByPlatformDocument, PromptsDocument } from '../documents.ts'

const { possibleTypes, embedded } = JSON.parse(
  await readFile(new URL('../../../schema/cache.json', import.meta.url), 'utf8'),
)

const cache = new InMemoryCache({
  // Unique in the service: no two projects share an object.
  dataIdFromObject: ({ nodeId }) => (typeof nodeId === 'string' ? nodeId : undefined),
  possibleTypes,
  typePolicies: {
    // A part of an object joins what is there of it.
    ...Object.fromEntries(embedded.map((type: string) => [type, { merge: true }])),
    Project: { fields: { prompts: relayStylePagination(['filter']) } },
  },
})
const client = new ApolloClient({ link: new HttpLink({ uri: endpoint, headers }), cache })

// One typed query. The second read comes from the cache.
await client.query({ query: ByPlatformDocument })
const projects = client.readQuery({ query: ByPlatformDocument })?.projects.nodes ?? []
for (const { name, platforms } of projects) {
  say(name)
  for (const { displayName, visibility } of platforms?.nodes ?? []) {
    say(`  ${displayName}: ${visibility?.summary.visibilityScore ?? '–'} %`)
  }
}

// All pages of a list, which the cache joins. In React, `fetchMore` of `useQuery` does this.
const project = projects[0]?.id ?? ''
const query = PromptsDocument
let after: string | null | undefined
do {
  const variables = { project, ...(after ? { after } : {}) }
  const { data } = await client.query({ query, variables, fetchPolicy: 'network-only' })
  const info = data?.project?.prompts?.pageInfo
  after = info?.hasNextPage ? info.endCursor : null
} while (after)
const prompts = client.readQuery({ query, variables: { project } })?.project?.prompts
say(`${prompts?.edges.length} of ${prompts?.totalCount} prompts`)

// A change gives its result or the problem, by its type.
for (const text of ['Which headphones fold?', ' ']) {
  const variables = { project, text, key: newKey() }
  const changed = await client.mutate({ mutation: AddPromptDocument, variables })
  const result = changed.data?.addPrompts
  if (result?.__typename === 'PromptAddition') say(`Added "${result.prompts[0]?.text}"`)
  else if (result) say(textOf(result))
}
client.stop()
