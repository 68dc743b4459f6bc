import { readCaddy } from '../lines/caddy.ts'
import { readCloudflare } from '../lines/cloudflare.ts'
import { readCloudfrontStream } from '../lines/cloudfront.ts'
import { readCombined } from '../lines/combined.ts'
import { readFastly } from '../lines/fastly.ts'
import { isObject } from '../lines/json.ts'
import { readNetlify } from '../lines/netlify.ts'
import { readNginx } from '../lines/nginx.ts'
import type { LineReader } from '../lines/request.ts'
import { readVercel } from '../lines/vercel.ts'

/** Who pushes a log, and how its lines are read. */
export interface LogSource {
  /** What a line must be, for a sender whose lines are not read. */
  readonly takes: string
  linesOf(parameters: URLSearchParams): LineReader
  /** The lines in a body that is one JSON object, in groups; undefined for another body. */
  linesIn?(body: Readonly<Record<string, unknown>>): string[] | undefined
}

const hostOf = (parameters: URLSearchParams) => parameters.get('host') ?? ''

const source = (takes: string, reader: (host: string) => LineReader): LogSource => ({
  takes,
  linesOf: (parameters) => reader(hostOf(parameters)),
})

/** Fastly proposes both formats. */
function readFastlyOrCombined(host: string): LineReader {
  const [json, combined] = [readFastly(host), readCombined(host)]
  const header = /^<\d{1,3}>\S+ \S+ \S+: (?!\{)/
  return {
    read: (line) =>
      line.endsWith('}') ? json.read(line) : combined.read(line.replace(header, '')),
  }
}

const cloudfront: LogSource = {
  takes: 'a standard log of CloudFront as JSON, or a real-time log whose fields are in `fields`',
  linesOf: (parameters) =>
    readCloudfrontStream(hostOf(parameters), (parameters.get('fields') ?? '').split(',')),
  linesIn({ records }) {
    if (!Array.isArray(records)) return undefined
    return records.flatMap((record: unknown) => {
      const data = isObject(record) && typeof record.data === 'string' ? record.data : ''
      return Buffer.from(data, 'base64').toString().split('\n')
    })
  },
}

/** By the last part of `/v1/logs/{source}`. */
export const logSources: ReadonlyMap<string, LogSource> = new Map([
  ['cloudflare', source('Logpush of the dataset `http_requests`', readCloudflare)],
  ['cloudfront', cloudfront],
  ['fastly', source('JSON in a format that Fastly proposes', readFastlyOrCombined)],
  ['netlify', source('a traffic log of Netlify as JSON', readNetlify)],
  ['vercel', source('a log drain of Vercel as JSON', readVercel)],
  ['nginx', source('the combined format, or JSON with the variables of nginx', readNginx)],
  ['apache', source('the combined format', readNginx)],
  ['caddy', source('an access log of Caddy as JSON', readCaddy)],
])
