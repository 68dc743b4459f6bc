import { createClient } from 'graphql-sse'
import { WatchDocument, type WatchSubscription } from '../graphql/documents.ts'

const { SIGHTLINE_URL = 'http://127.0.0.1:4000', SIGHTLINE_KEY = '' } = process.env
const projectId = process.argv[2] ?? ''

const client = createClient({
  url: `${SIGHTLINE_URL}/graphql`,
  headers: { Authorization: `Bearer ${SIGHTLINE_KEY}` },
  // A stream ends when the service restarts: ask again, and go on.
  retryAttempts: Number.POSITIVE_INFINITY,
})

// An operation of GraphiQL's tabs.
const query = WatchDocument.toString()

for (;;) {
  for await (const { data, errors } of client.iterate<WatchSubscription>({
    query,
    variables: { projectId },
  })) {
    // A stream ends with an error when the key may not read the project any more.
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '))
    process.stdout.write(`${JSON.stringify(data?.projectUpdated)}\n`)
  }
}
