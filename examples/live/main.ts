import { createClient } from 'graphql-sse'

const { SIGHTLINE_URL = 'http://127.0.0.1:4000', SIGHTLINE_KEY = '' } = process.env
const projectId = process.argv[2] ?? ''

const client = createClient({
  url: `${SIGHTLINE_URL}/graphql`,
  headers: { Authorization: `Bearer ${SIGHTLINE_KEY}` },
  // A stream ends when the service restarts: ask again, and go on.
  retryAttempts: Number.POSITIVE_INFINITY,
})

const query = `subscription Watch($projectId: ID!) {
  projectUpdated(projectId: $projectId) {
    __typename
    at
    ... on AuditProgressed { audit { status progress { done total } issueCount } }
    ... on CrawlersVisited { hits crawlers { botName hits } }
    ... on DataImported { project { visibility(window: { days: 30 }) { summary { visibilityScore } } } }
  }
}`

for (;;) {
  for await (const { data, errors } of client.iterate({ query, variables: { projectId } })) {
    // A stream ends with an error when the key may not read the project any more.
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '))
    process.stdout.write(`${JSON.stringify(data?.projectUpdated)}\n`)
  }
}
