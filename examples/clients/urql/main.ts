import { readFile } from 'node:fs/promises'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange, type KeyGenerator } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { endpoint, headers, newKey, say, textOf } from '../connect.ts'
import { AddPromptDocument, ByPlatformDocument, PromptsDocument } from '../documents.ts'

const { nodes, embedded, possibleTypes } = JSON.parse(
  await readFile(new URL('../../../schema/cache.json', import.meta.url), 'utf8'),
)

// Unique in the service: no two projects share an object.
const byNodeId: KeyGenerator = ({ nodeId }) => (typeof nodeId === 'string' ? nodeId : null)
const client = new Client({
  url: endpoint,
  preferGetMethod: false,
  fetchOptions: { headers },
  exchanges: [
    cacheExchange({
      keys: {
        ...Object.fromEntries(nodes.map((type: string) => [type, byNodeId])),
        ...Object.fromEntries(embedded.map((type: string) => [type, () => null])),
      },
      possibleTypes,
      // It writes each fragment of a union, and warns of the fields of the other types.
      logger: (severity, message) =>
        severity === 'debug' || message.endsWith('#13') || say(message),
      resolvers: { Project: { prompts: relayPagination() } },
    }),
    fetchExchange,
  ],
})

// One typed query. The second read comes from the cache.
await client.query(ByPlatformDocument, {}).toPromise()
const kept = client.readQuery(ByPlatformDocument, {})
const projects = kept?.data?.projects.nodes ?? []
for (const { name, platforms } of projects) {
  say(name)
  for (const { displayName, visibility } of platforms?.nodes ?? []) {
    say(`  ${displayName}: ${visibility?.summary.visibilityScore ?? '–'} %`)
  }
}

// All pages of a list, which the cache joins.
const project = projects[0]?.id ?? ''
let after: string | null | undefined
do {
  const { data } = await client.query(PromptsDocument, { project, after }).toPromise()
  const prompts = data?.project?.prompts
  after = prompts?.pageInfo.hasNextPage ? prompts.pageInfo.endCursor : null
  if (!after) say(`${prompts?.edges.length} of ${prompts?.totalCount} prompts`)
} while (after)

// A change gives its result or the problem, by its type.
for (const text of ['Which headphones fold?', ' ']) {
  const variables = { project, text, key: newKey() }
  const { data } = await client.mutation(AddPromptDocument, variables).toPromise()
  const result = data?.addPrompts
  if (result?.__typename === 'PromptAddition') say(`Added "${result.prompts[0]?.text}"`)
  else if (result) say(textOf(result))
}
