import { textOf } from './net/body.ts'
import type { Client } from './net/client.ts'
import { type FollowOptions, follow, locationOf } from './net/follow.ts'
import type { FileReading } from './reading.ts'

interface FileAnswer {
  readonly status: number
  readonly text: string
  readonly isTooLong: boolean
}

/** Reads a text file of a site, such as `/llms.txt`. */
export async function readFile(
  client: Client,
  address: URL,
  maxBytes: number,
  check: FollowOptions<unknown>['check'],
): Promise<FileReading> {
  const chain = client.open()
  try {
    const { hops, end } = await follow<FileAnswer>({
      start: address,
      maxHops: client.limits.hops,
      check,
      step: (url) =>
        client.ask(chain, url, 'GET', async (exchange) => {
          const { status } = exchange
          const location = locationOf(exchange, url)
          if (location !== null) return { status, location }
          const body =
            status === 200 ? await textOf(exchange, maxBytes) : { text: '', isTooLong: false }
          return { status, end: { status, ...body } }
        }),
    })
    const outcome = end.kind === 'end' ? { kind: 'answered' as const, ...end.value } : end
    return { address: address.href, hops, outcome }
  } finally {
    await chain.close()
  }
}
