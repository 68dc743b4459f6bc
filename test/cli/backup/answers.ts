import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../kit/repository.ts'
import { type ApiDocument, callsOf, knownOf } from '../../kit/rest/operation-calls.ts'
import type { TestService } from '../../kit/service.ts'

const document = JSON.parse(
  readFileSync(join(root, 'rest/contract/openapi.json'), 'utf8'),
) as ApiDocument

/** The paths of all reads of the REST API about the demonstration. */
export async function readsOf(service: TestService): Promise<string[]> {
  const known = await knownOf({ ...service, key: service.demoKey }, document)
  return callsOf(document, known)
    .filter(({ method }) => method === 'GET')
    .map(({ path, params }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(params.path?.[name]))
      const query = Object.entries(params.query ?? {}).map(([name, value]) => [name, String(value)])
      return `${filled}?${new URLSearchParams(query)}`
    })
}

const graph = `{ projects(first: 1) { nodes {
  id name
  answers(first: 100) { totalCount nodes { id text } }
  sourceDomains(first: 100) { totalCount nodes { domain } }
} } }`

/** What each path answers, with its status. */
export async function answersOf(
  service: TestService,
  paths: readonly string[],
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const path of paths) {
    let response = await service.get(path)
    // A busy machine.
    while (response.status >= 500) response = await service.get(path)
    answers[path] = [response.status, await response.json()]
  }
  return answers
}

/** What GraphQL says of the project. */
export async function graphOf(service: TestService): Promise<unknown> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.demoKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: graph }),
  })
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
