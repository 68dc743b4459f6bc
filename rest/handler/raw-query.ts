import { isUtf8 } from 'node:buffer'
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The packet that the parser refused, as it came. */
export interface RefusedPacket {
  readonly code?: string
  readonly rawPacket?: Buffer
  /** The place in the packet that the parser refused. */
  readonly bytesParsed?: number
}

/** A read with an ASCII path and anything but a space in its query, up to the end of its head. */
const rawRead = /^((?:GET|HEAD) \/[!->@-~]*\?)([^ \r\n]*)( HTTP\/1\.1\r\n)((?:[^\r\n]+\r\n)*\r\n)$/
const bodyHeader = /^(?:content-length|transfer-encoding|upgrade|expect)[ \t]*:/im
const printable = /^[!-~]*$/

/** Bytes beyond ASCII as a browser would send them. @see https://url.spec.whatwg.org/#query-state */
const encoded = (query: string) =>
  query.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The head of a read whose query holds raw UTF-8, with that query encoded; undefined for any other packet. It must be a
 * whole request, so that nothing else of the connection can be taken for a part of it.
 */
function encodedHead({ code, rawPacket, bytesParsed = 0 }: RefusedPacket): Buffer | undefined {
  if (code !== 'HPE_INVALID_URL' || rawPacket === undefined) return undefined
  const [, start = '', query, version, headers] = rawRead.exec(rawPacket.toString('latin1')) ?? []
  if (query === undefined || headers === undefined || bodyHeader.test(headers)) return undefined
  const isOfQuery = bytesParsed >= start.length && bytesParsed < start.length + query.length
  if (!isOfQuery || !isUtf8(Buffer.from(query, 'latin1'))) return undefined
  const whole = encoded(query)
  if (!printable.test(whole)) return undefined
  return Buffer.from(`${start}${whole}${version}${headers}`, 'latin1')
}

/** A connection over another one that sends one head, and nothing after it. */
class OneHead extends Duplex {
  readonly #socket: Socket
  #head: Buffer | undefined

  constructor(socket: Socket, head: Buffer) {
    super()
    this.#socket = socket
    this.#head = head
    socket.once('close', () => this.destroy())
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress
  }

  override _read(): void {
    if (this.#head === undefined) return
    const head = this.#head
    this.#head = undefined
    this.push(head)
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    this.#socket.destroySoon()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}

/**
 * Serves reads with raw UTF-8 in the query, as curl sends it, which the parser refuses with every option it has. The
 * encoded head passes the same parser, and the connection closes after the answer. RFC 9112, section 3, warns of mended
 * requests, since a proxy may have judged another one. Method, path and headers stay as the proxy saw them.
 * @returns whether it serves the request of a connection
 */
export function serveRawQueries(server: Server, options: ServerOptions) {
  const once = createServer(options, (request, response) => {
    response.shouldKeepAlive = false
    server.emit('request', request, response)
  })
  return (packet: RefusedPacket, socket: Socket): boolean => {
    const head = encodedHead(packet)
    const isFree = !(socket as { _httpMessage?: unknown })._httpMessage
    if (head === undefined || !isFree || !socket.writable) return false
    once.emit('connection', new OneHead(socket, head))
    return true
  }
}
