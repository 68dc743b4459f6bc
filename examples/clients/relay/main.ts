import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  type OperationType,
  RecordSource,
  Store,
} from 'relay-runtime'
import { endpoint, headers, newKey, say, textOf } from '../connect.ts'
import addPrompt, {
  type operationsAddPromptMutation,
} from './__generated__/operationsAddPromptMutation.graphql.ts'
import byPlatform, {
  type operationsByPlatformQuery,
} from './__generated__/operationsByPlatformQuery.graphql.ts'
import promptsPage, {
  type operationsPromptsQuery,
} from './__generated__/operationsPromptsQuery.graphql.ts'

const environment = new Environment({
  network: Network.create(async ({ text: query }, variables) => {
    const body = JSON.stringify({ query, variables })
    const json = { ...headers, 'content-type': 'application/json' }
    return (await fetch(endpoint, { method: 'POST', headers: json, body })).json()
  }),
  store: new Store(new RecordSource()),
  // Unique in the service: no two projects share an object. The compiler adds the field to each object.
  getDataID: ({ nodeId }) => nodeId,
})

/** Asks the service, and reads the answer from the store. */
async function ask<Operation extends OperationType>(
  query: Parameters<typeof createOperationDescriptor>[0],
  variables: Operation['variables'],
): Promise<Operation['response']> {
  const operation = createOperationDescriptor(query, variables)
  environment.retain(operation)
  await fetchQuery<Operation>(environment, query, variables).toPromise()
  return environment.lookup(operation.fragment).data as Operation['response']
}

const { projects } = await ask<operationsByPlatformQuery>(byPlatform, {})
for (const { name, platforms } of projects.nodes) {
  say(name)
  for (const { displayName, visibility } of platforms?.nodes ?? []) {
    say(`  ${displayName}: ${visibility?.summary.visibilityScore ?? '–'} %`)
  }
}

// All pages of a list, which the store joins. In React, `usePaginationFragment` does this.
const project = projects.nodes[0]?.id ?? ''
let after: string | null | undefined
do {
  const page = await ask<operationsPromptsQuery>(promptsPage, { project, after })
  const prompts = page.project?.prompts
  after = prompts?.pageInfo.hasNextPage ? prompts.pageInfo.endCursor : null
  if (!after) say(`${prompts?.edges.length} of ${prompts?.totalCount} prompts`)
} while (after)

// A change gives its result or the problem, by its type.
for (const text of ['Which headphones fold?', ' ']) {
  const { addPrompts: result } = await new Promise<operationsAddPromptMutation['response']>(
    (resolve, reject) => {
      commitMutation<operationsAddPromptMutation>(environment, {
        mutation: addPrompt,
        variables: { project, text, key: newKey() },
        onCompleted: resolve,
        onError: reject,
      })
    },
  )
  if (result?.__typename === 'PromptAddition') say(`Added "${result.prompts?.[0]?.text}"`)
  else if (result) say(textOf(result))
}
