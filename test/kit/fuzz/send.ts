import { type Agent, request as httpRequest } from 'node:http'

export type Door = 'REST' | 'REST graph' | 'GraphQL'

/** A request of a fuzz. */
export interface Sent {
  readonly door: Door
  readonly method: string
  /** With the query, of visible ASCII. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Absent for no body. */
  readonly body?: string
}

export interface Heard {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly tookMs: number
}

/** Sends a request, byte for byte. @throws what the connection throws, or after the limit */
export function send(url: string, agent: Agent, sent: Sent, limitMs: number): Promise<Heard> {
  const began = performance.now()
  const { method, path, headers, body } = sent
  const { hostname, port } = new URL(url)
  const sized =
    body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, agent, method, path, headers: sized },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => void parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const fields = Object.entries(response.headers).map(
            ([name, value]) => [name, String(value)] as [string, string],
          )
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(fields),
            body: Buffer.concat(parts).toString('utf8'),
            tookMs: performance.now() - began,
          })
        })
      },
    )
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer in ${limitMs} ms`)),
      limitMs,
    )
    request.on('close', () => clearTimeout(timer))
    request.on('error', reject)
    request.end(body)
  })
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The request as a command, to repeat it by hand. */
export function curlOf(url: string, { method, path, headers, body }: Sent): string {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `-H ${quoted(`${name}: ${one}`)}`),
  )
  const data =
    body === undefined
      ? []
      : ['--data-binary', quoted(body.length > 4000 ? `${body.slice(0, 4000)}…` : body)]
  return ['curl -gi', '-X', method, ...named, ...data, quoted(url + path)].join(' ')
}
