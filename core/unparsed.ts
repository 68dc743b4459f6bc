import { catalog, type ErrorCode, Fault, methodNotAllowed } from './errors.ts'

/** Requests that the HTTP parser of Node.js refuses: it has no request then, only a connection. */

/** An error of the parser, or of its time limits. */
interface ParserError {
  readonly code?: string
  /** The parser's own words, which hold nothing of the client. */
  readonly reason?: string
}

interface Refusal {
  readonly code?: ErrorCode
  readonly status?: number
  readonly message: string
  readonly howToFix: string
}

const encode: Refusal = {
  message: 'The address holds a character that must be encoded, such as a space or `ß`.',
  howToFix: 'Percent-encode the address as UTF-8, for example `?search=gr%C3%B6%C3%9Fe%20A`.',
}
const twoLengths: Refusal = {
  message: 'The headers give the length of the body in two ways, or not as a number.',
  howToFix: 'Send `Content-Length` once, or `Transfer-Encoding: chunked`, but not both.',
}
const otherVersion: Refusal = {
  message: 'The request is not HTTP/1.1 or HTTP/1.0.',
  howToFix: 'Send HTTP/1.1 without TLS, or put a proxy in front that does so.',
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: encode,
  HPE_INVALID_CONSTANT: encode,
  HPE_INVALID_METHOD: {
    message: 'The request begins with no method of HTTP.',
    howToFix: 'Write methods in upper case, such as `GET`.',
  },
  HPE_INVALID_VERSION: otherVersion,
  HPE_PAUSED_H2_UPGRADE: otherVersion,
  HPE_INVALID_TRANSFER_ENCODING: twoLengths,
  HPE_UNEXPECTED_CONTENT_LENGTH: twoLengths,
  HPE_INVALID_CONTENT_LENGTH: twoLengths,
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The address and the headers together are larger than 16 kB.',
    howToFix: 'Send fewer and shorter parameters and headers.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'payload_too_large',
    message: 'The extensions of a chunk of the body are larger than 16 kB.',
    howToFix: 'Send chunks without extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive whole in time.',
    howToFix: 'Send the request again, without pauses.',
  },
}

/** The fault of a request that the parser refused. */
function unparsedFault({ code = '', reason = 'its end is missing' }: ParserError): Fault {
  const refusal: Refusal = refusals[code] ?? {
    message: `The request is not valid HTTP: ${reason}.`,
    howToFix: 'Send a request of HTTP/1.1.',
  }
  const { code: named = 'invalid_argument', message, howToFix } = refusal
  const status = refusal.status ?? catalog[named].status
  return new Fault(named, message, { status, extras: { howToFix } })
}

/** The fault of an `Expect` that asks for something unknown. @see RFC 9110, section 10.1.1 */
export function expectationFault(): Fault {
  return new Fault('invalid_argument', '`Expect` must be `100-continue`.', {
    status: 417,
    extras: { howToFix: 'Leave `Expect` out.' },
  })
}

/** A connection, as Node.js has it. */
interface Connection {
  readonly writable: boolean
  end(bytes: string): unknown
  destroy(): unknown
  once(event: 'close', listener: () => void): unknown
}

/** A response that a connection is at. */
interface Underway {
  readonly headersSent: boolean
  readonly req: { readonly complete: boolean }
  once(event: 'close', listener: () => void): unknown
}

/** What a server reports of requests that have no parsed head. */
interface Server<Socket> {
  on(event: 'clientError', listener: (error: ParserError, socket: Socket) => void): unknown
  on(event: 'connect', listener: (request: unknown, socket: Socket) => void): unknown
}

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Time to read a reply: a connection that is closed earlier, with bytes unread, is reset. */
const lingerMs = 2000

/** @see RFC 9112, section 4: the phrase may be empty */
function bytesOf({ status, headers, body }: RawReply): string {
  const all = {
    Date: new Date().toUTCString(),
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} \r\n${lines.join('')}\r\n${body}`
}

/**
 * Answers what the parser of a server refuses, and closes the connection. A request of the connection that is being
 * answered gets its own answer first, so that no client takes one for the other.
 * @param mend serves a request after all, and says so
 */
export function answerUnparsed<Socket extends Connection>(
  server: Server<Socket>,
  replyTo: (fault: Fault, code: string) => RawReply,
  mend: (error: ParserError, socket: Socket) => boolean = () => false,
): void {
  // The parser goes on to report each later piece of a connection.
  const refused = new WeakSet<Socket>()

  const refuse = (socket: Socket, fault: Fault, code: string) => {
    // Node.js's own answer reads it too, and nothing public has it.
    const { _httpMessage: underway } = socket as { _httpMessage?: Underway | null }
    if (!socket.writable || (underway?.headersSent && !underway.req.complete)) {
      socket.destroy()
    } else if (underway?.req.complete) {
      underway.once('close', () => refuse(socket, fault, code))
    } else {
      const timer = setTimeout(() => socket.destroy(), lingerMs)
      socket.once('close', () => clearTimeout(timer))
      socket.end(bytesOf(replyTo(fault, code)))
    }
  }
  const once = (socket: Socket, answer: () => void) => {
    if (refused.has(socket)) return
    refused.add(socket)
    answer()
  }
  server.on('clientError', (error, socket) =>
    once(socket, () => {
      if (!mend(error, socket)) refuse(socket, unparsedFault(error), error.code ?? 'unknown')
    }),
  )
  server.on('connect', (_request, socket) =>
    once(socket, () => refuse(socket, methodNotAllowed('CONNECT', 'GET'), 'CONNECT')),
  )
}
