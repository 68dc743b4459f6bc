import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../../core/log.ts'

/** A connection to NATS that comes back whenever the servers do. */
export interface Nats {
  /** Resolves with the first connection. */
  readonly connected: Promise<NatsConnection>
  /** The connection, while it is there. */
  current(): NatsConnection | undefined
  /** Ends the connection, or the attempts to connect. */
  close(): Promise<void>
}

const retryMs = 500
const timeoutMs = 5000

/**
 * Connects in the background, and again without end.
 * @param urls of NATS_URL: servers of one cluster, separated by commas
 * @param name shows the process in the list of connections of the server
 */
export function connectNats(urls: string, name: string, log: Log): Nats {
  let isAway = true
  let isClosed = false
  let connection: NatsConnection | undefined

  async function open(): Promise<NatsConnection> {
    for (let hasFailed = false; ; hasFailed = true) {
      try {
        return await connect({
          ...serversOf(urls),
          name,
          timeout: timeoutMs,
          reconnectTimeWait: retryMs,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
        })
      } catch (error) {
        if (isClosed) throw error
        if (!hasFailed)
          log.error({ err: error }, 'The servers of NATS_URL do not answer. Events are refused.')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  async function follow(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === 'disconnect' && !isAway && !isClosed) {
        isAway = true
        log.error({}, 'The servers of NATS_URL are away. Events are refused.')
      }
      if (type === 'reconnect' && isAway) {
        isAway = false
        log.info({}, 'NATS is back.')
      }
    }
  }

  const connected = open().then((opened) => {
    connection = opened
    isAway = false
    follow(opened)
    return opened
  })
  connected.catch(() => undefined)
  return {
    connected,
    current: () => (isAway || isClosed ? undefined : connection),
    async close() {
      isClosed = true
      await connection?.close()
    },
  }
}

/** Servers, and the user of the first URL: the client reads none of a URL. */
export function serversOf(urls: string) {
  const given = urls.split(',').map((url) => new URL(url.trim()))
  const [{ username = '', password = '', protocol = 'nats:' } = {}] = given
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  const token = pass === '' && user !== '' ? { token: user } : {}
  return {
    servers: given.map(({ host }) => host),
    ...(pass === '' ? token : { user, pass }),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
  }
}
