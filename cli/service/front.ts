import { type AddressInfo, createServer, type Socket } from 'node:net'
import { isIn } from '../../core/proxies.ts'
import type { Settings } from '../../core/settings.ts'
import type { Child } from './child.ts'
import { listen, type PortSetting, urlOf } from './listener.ts'
import type { PartBoard } from './part-states.ts'
import { type ConnectionLimits, createPlaces, type RefusedBy } from './places.ts'
import { makeStandIn } from './stand-in.ts'

export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** The setting of the port, for errors. */
  readonly setting: PortSetting
  /** The URL for clients, when host and port are not reachable. */
  readonly publicUrl?: string | undefined
  readonly limits: ConnectionLimits
  /** While no process runs, connections get the API's 502, or wait. */
  readonly whileAway: 'answer' | 'wait'
}

export function limitsOf({ TRUST_PROXY: proxies }: Settings): ConnectionLimits {
  return {
    all: 4000,
    perAddress: 1000,
    isShared: (address) => isIn(proxies, address),
  }
}

/** A port of the service. The supervisor owns it, so it stays open while the process behind it restarts. */
export interface Front {
  readonly port: number
  /** The URL for clients, without a slash at the end. */
  readonly url: string
  /** The URL on this machine, which PUBLIC_URL may hide. */
  readonly localUrl: string
  /**
   * Hands waiting and new connections to this process. Of several, the one with the fewest connections gets the next.
   * @returns a function for the end of the process: without another one, connections get a 502 or wait
   */
  attach(part: Child): () => void
  /** Until a process is attached, `/readyz` shows the parts of this board. */
  show(board: Pick<PartBoard, 'current'>): void
  /** The connections that are open. */
  open(): number
  /** Calls the listener with the limit that each refused connection met. */
  onRefused(listener: (limit: RefusedBy) => void): void
  /** Accepts no more connections. Resolves when the process has taken every accepted one. */
  close(): Promise<void>
}

interface Message {
  readonly type?: string
  readonly id?: number
  readonly ids?: readonly number[]
}

/** A connection that has a place, and the release of the place. */
interface Held {
  readonly socket: Socket
  readonly leave: () => void
}

/** A process behind the port. */
interface Attached {
  readonly part: Child
  /** Sent to the process, and not confirmed yet. */
  readonly unconfirmed: Map<number, Held>
  /** The releases of connections that the process has taken. */
  readonly taken: Map<number, () => void>
}

const connectionsOf = ({ unconfirmed, taken }: Attached) => unconfirmed.size + taken.size

// A process that hangs must not keep the service from stopping.
const HANDOFF_MS = 1000
/** Connections beyond the limit that may ask `/healthz` and `/readyz` at a time. */
const RESERVE = 64

/**
 * Listens at once. Connections wait until the first process is attached. A connection beyond the limit of its address
 * is reset. One beyond the limit of the port is answered here; it is reset when the reserve is taken too.
 * @throws {CliError} `port_in_use`, `port_not_allowed`, `host_not_available`
 */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { host, publicUrl, whileAway } = options
  const places = createPlaces(options.limits)
  const reserve = createPlaces({ all: RESERVE, perAddress: RESERVE / 4 })
  const waiting: Held[] = []
  const attached = new Set<Attached>()
  let mayWait = true
  let lastId = 0
  let onEmpty = () => {}
  let board: Pick<PartBoard, 'current'> = { current: () => ({}) }

  const withoutPart = (held: Held) => {
    const { socket, leave } = held
    if (mayWait) {
      waiting.push(held)
      return
    }
    socket.once('close', leave)
    if (whileAway === 'answer') standIn.answer(socket, 'away')
    else socket.destroy()
  }
  const isIdle = () => [...attached].every(({ unconfirmed }) => unconfirmed.size === 0)
  const handOff = (held: Held) => {
    const { socket, leave } = held
    if (socket.destroyed) return leave()
    const to = leastBusy(attached)
    if (!to) return withoutPart(held)
    const id = ++lastId
    to.unconfirmed.set(id, held)
    // Open here until the process confirms: a process that dies before loses no request.
    to.part.process.send({ type: 'connection', id }, socket, { keepOpen: true }, (error) => {
      if (error && to.unconfirmed.delete(id)) withoutPart(held)
    })
  }
  let hearRefused = (_limit: RefusedBy) => {}
  const refuse = (socket: Socket, limit: RefusedBy) => {
    hearRefused(limit)
    const leave =
      limit === 'all' && whileAway === 'answer' && reserve.take(socket.remoteAddress ?? '')
    if (typeof leave !== 'function') return socket.resetAndDestroy()
    socket.once('close', leave)
    return standIn.answer(socket, 'full')
  }
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    const leave = places.take(socket.remoteAddress ?? '')
    if (typeof leave !== 'function') return refuse(socket, leave)
    handOff({ socket, leave })
  })
  await listen(server, host, options.port, options.setting)
  const { port } = server.address() as AddressInfo
  const localUrl = urlOf(host, port)
  const url = publicUrl?.replace(/\/+$/, '') ?? localUrl
  const standIn = makeStandIn(url, () => board.current())

  const hear = ({ unconfirmed, taken }: Attached, { type, id, ids }: Message) => {
    if (type === 'closed') {
      for (const one of ids ?? []) {
        taken.get(one)?.()
        taken.delete(one)
      }
    }
    const held = type === 'taken' && id !== undefined ? unconfirmed.get(id) : undefined
    if (!held || id === undefined) return
    held.socket.destroy()
    unconfirmed.delete(id)
    taken.set(id, held.leave)
    if (isIdle()) onEmpty()
  }
  const detach = (one: Attached) => {
    if (!attached.delete(one)) return
    for (const leave of one.taken.values()) leave()
    for (const held of one.unconfirmed.values()) handOff(held)
    if (isIdle()) onEmpty()
  }

  return {
    port,
    url,
    localUrl,
    attach: (part) => {
      const one: Attached = { part, unconfirmed: new Map(), taken: new Map() }
      attached.add(one)
      mayWait = whileAway === 'wait'
      part.process.on('message', (message: Message) => hear(one, message))
      for (const held of waiting.splice(0)) handOff(held)
      return () => detach(one)
    },
    show: (shown) => {
      board = shown
    },
    open: places.open,
    onRefused: (listener) => {
      hearRefused = listener
    },
    close: () =>
      new Promise((resolve) => {
        server.close()
        mayWait = false
        for (const held of waiting.splice(0)) withoutPart(held)
        onEmpty = resolve
        if (isIdle()) resolve()
        setTimeout(resolve, HANDOFF_MS).unref()
      }),
  }
}

/** Undefined while no process answers. */
function leastBusy(attached: ReadonlySet<Attached>): Attached | undefined {
  let least: Attached | undefined
  for (const one of attached) {
    if (!one.part.process.connected) continue
    if (!least || connectionsOf(one) < connectionsOf(least)) least = one
  }
  return least
}
