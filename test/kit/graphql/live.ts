import type { ExecutionResult } from 'graphql'
import { createClient } from 'graphql-sse'
import { liveChannel } from '../../../core/live/events.ts'
import { listenTo } from '../../../prisma/listen.ts'
import { createLive, type Live } from '../../../resolvers/live/live.ts'
import type { TestApi } from '../api.ts'
import { credentials } from '../credentials.ts'

/** Live events for a context without a server. It connects with the first stream. */
export function liveOf({
  databaseUrl,
  warehouse,
  log,
}: Pick<TestApi, 'databaseUrl' | 'warehouse' | 'log'>): Live {
  return createLive({
    listen: (events) => listenTo(databaseUrl, liveChannel, events),
    warehouse,
    log,
  })
}

export interface Subscribed {
  /** The next result; undefined after the end. */
  next(): Promise<ExecutionResult<{ projectUpdated: Record<string, unknown> }> | undefined>
  end(): Promise<unknown>
}

/**
 * Subscribes with the client that the docs recommend, and waits until the stream is open.
 * @throws what the client throws when the request is refused
 */
export async function subscribe(
  api: Pick<TestApi, 'url'>,
  key: string | undefined,
  field: string,
): Promise<Subscribed> {
  let isOpen = () => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  const client = createClient({
    url: `${api.url}/graphql`,
    headers: credentials(key),
    retryAttempts: 0,
    fetchFn: async (input: string, init: RequestInit) => {
      const response = await fetch(input, init)
      isOpen()
      return response
    },
  })
  const results = client.iterate({ query: `subscription { ${field} }` })
  let first: Promise<IteratorResult<unknown>> | undefined = results.next()
  first.catch(() => undefined)
  await opened
  return {
    async next() {
      const result = await (first ?? results.next())
      first = undefined
      return result.done ? undefined : (result.value as never)
    },
    end: async () => results.return?.(undefined),
  }
}
