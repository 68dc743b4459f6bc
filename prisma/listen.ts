import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface ListenOptions {
  readonly onNotice: (payload: string) => void
  /** The connection was lost, and is there again: notices of the time between are lost. */
  readonly onResumed: () => void
  readonly onLost: (error: Error) => void
}

export interface Listener {
  /** Resolves once the channel is listened to. The first call connects. */
  ready(): Promise<void>
  close(): Promise<void>
}

const retryMs = 1000

/**
 * Listens to a channel of PostgreSQL on one connection of its own, which is replaced when it is lost.
 * @param channel a name of letters and underscores
 */
export function listenTo(databaseUrl: string, channel: string, options: ListenOptions): Listener {
  const stop = new AbortController()
  let current: Promise<pg.Client> | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    let isLost = false
    const lose = (error: Error) => {
      if (isLost || stop.signal.aborted) return
      isLost = true
      options.onLost(error)
      current = resume()
      // Whoever waits for it gets the error.
      current.catch(() => undefined)
    }
    client.on('notification', ({ payload = '' }) => options.onNotice(payload))
    try {
      await client.connect()
      await client.query(`LISTEN "${channel}"`)
    } catch (error) {
      client.on('error', () => undefined)
      await client.end().catch(() => undefined)
      throw error
    }
    client.on('error', lose)
    client.on('end', () => lose(new Error('Connection terminated')))
    return client
  }

  async function resume(): Promise<pg.Client> {
    for (;;) {
      await sleep(retryMs, undefined, { signal: stop.signal })
      const client = await connect().catch(() => null)
      if (client === null) continue
      options.onResumed()
      return client
    }
  }

  return {
    async ready() {
      if (stop.signal.aborted) return
      const connecting = current ?? connect()
      current = connecting
      try {
        await connecting
      } catch (error) {
        if (current === connecting) current = undefined
        throw error
      }
    },
    async close() {
      stop.abort()
      const client = await current?.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}

/** Lets several parts hear one connection. `listen` gives a part its notices from now on; the last `close` is that of all. */
export function shareListener(open: (options: ListenOptions) => Listener) {
  const parts: ListenOptions[] = []
  const listener = open({
    onNotice: (payload) => {
      for (const part of parts) part.onNotice(payload)
    },
    onResumed: () => {
      for (const part of parts) part.onResumed()
    },
    onLost: (error) => {
      for (const part of parts) part.onLost(error)
    },
  })
  return (options: ListenOptions): Listener => {
    parts.push(options)
    return listener
  }
}
