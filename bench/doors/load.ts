import { connect } from 'node:net'

/**
 * The client of `bench/doors.ts`, in a process of its own. The parent sends tasks, and gets the requests a second.
 * A connection sends one request at a time.
 */

export interface Task {
  readonly port: number
  /** The heads of requests without `Authorization`: the same one each time, or each of several once. */
  readonly heads: readonly string[]
  /** The body of each request, of the length that the heads say. */
  readonly body?: string
  /** Each key is used for `perKey` requests, and then the next. None: no key is sent. */
  readonly keys: readonly string[]
  readonly perKey: number
  readonly status: number
  readonly connections: number
  readonly ms: number
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')
const lengthOf = /\r\ncontent-length: (\d+)/i

/** The key in use and its requests: they go on from task to task, so that no key is over its rate. */
let place = 0
let sent = 0

function nextKey({ keys, perKey }: Task): string | undefined {
  if (keys.length === 0) return undefined
  if (++sent > perKey) {
    place += 1
    sent = 1
  }
  return keys[place % keys.length]
}

/** The heads that have been sent, by port and first head. */
const asked = new Map<string, number>()

/** @throws {Error} when each of several heads has been sent */
function headOf({ port, heads: [first = '', ...others] }: Task): string {
  if (others.length === 0) return first
  const name = `${port} ${first}`
  const place = asked.get(name) ?? 0
  const head = [first, ...others][place]
  if (head === undefined) throw new Error('All questions have been asked.')
  asked.set(name, place + 1)
  return head
}

function requestOf(task: Task): string {
  const { body = '' } = task
  const head = headOf(task)
  const key = nextKey(task)
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  return `${head}${authorization}\r\n${body}`
}

/** The bytes of the reply at the start of `received`; 0 while it is not whole. @throws {Error} for another status */
function replyBytes(received: Buffer, status: number): number {
  const end = received.indexOf(headEnd)
  if (end === -1) return 0
  const head = received.toString('latin1', 0, end)
  if (!head.startsWith(`HTTP/1.1 ${status}`)) throw new Error(head.split('\r\n', 1)[0])
  const length = lengthOf.exec(head)?.[1]
  if (status !== 304 && length === undefined) {
    const last = received.indexOf(lastChunk, end)
    return last === -1 ? 0 : last + lastChunk.length
  }
  const whole = end + headEnd.length + Number(length ?? 0)
  return received.length < whole ? 0 : whole
}

/** The requests that one connection has answered in the time. */
function talk(task: Task, until: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect({ port: task.port, host: '127.0.0.1', noDelay: true })
  let answered = 0
  let received: Buffer = Buffer.alloc(0)
  const send = () => {
    try {
      socket.write(requestOf(task))
    } catch (error) {
      socket.destroy()
      reject(error)
    }
  }
  socket.on('connect', send).on('error', reject)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const bytes = replyBytes(received, task.status)
      if (bytes === 0) return
      received = received.subarray(bytes)
    } catch (error) {
      socket.destroy()
      return reject(error as Error)
    }
    answered += 1
    if (performance.now() < until) return send()
    socket.end()
    resolve(answered)
  })
  return promise
}

async function load(task: Task): Promise<number> {
  const began = performance.now()
  const all = Array.from({ length: task.connections }, () => talk(task, began + task.ms))
  const answered = (await Promise.all(all)).reduce((sum, each) => sum + each, 0)
  return answered / ((performance.now() - began) / 1000)
}

process.on('message', (task: Task) => {
  load(task).then(
    (rate) => process.send?.({ rate }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())
