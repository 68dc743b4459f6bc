import { addressOf, type LineReader, timeOf, valueOrEmpty, withoutPort } from './request.ts'

const header = '#Fields:'
const requiredFields = ['date', 'time', 'cs-method', 'cs-uri-stem', 'sc-status', 'cs(User-Agent)']

/**
 * CloudFront's standard logs: the extended format of the W3C, separated by tabs, with a header that names the
 * fields. Joined files have several headers.
 * @param host the host of lines without a host
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export function readCloudfront(host: string): LineReader {
  let fields: readonly string[] = []
  const readHeader = (line: string) => {
    if (!line.startsWith(header)) return
    const named = line.slice(header.length).trim().split(/\s+/)
    fields = requiredFields.every((name) => named.includes(name)) ? named : []
  }
  return {
    read(line) {
      if (line.startsWith('#')) {
        readHeader(line)
        return 'nothing'
      }
      const values = line.split('\t')
      if (fields.length === 0 || values.length !== fields.length) return 'malformed'
      return readFields(new Map(fields.map((name, i) => [name, values[i] ?? ''])), host)
    },
    skim(lines) {
      const at = lines.lastIndexOf(`\n${header}`) + 1
      const end = lines.indexOf('\n', at)
      readHeader(lines.toString('utf8', at, end < 0 ? undefined : end).trimEnd())
    },
  }
}

function readFields(
  fields: ReadonlyMap<string, string>,
  host: string,
): ReturnType<LineReader['read']> {
  const of = (name: string) => valueOrEmpty(fields.get(name))
  const at = timeOf(`${of('date')}T${of('time')}Z`)
  const status = /^\d{3}$/.test(of('sc-status')) ? Number(of('sc-status')) : undefined
  if (at === undefined || status === undefined) return 'malformed'
  const query = decoded(of('cs-uri-query'))
  const stem = decoded(of('cs-uri-stem'))
  const seconds = Number(of('time-taken'))
  return {
    at,
    method: of('cs-method'),
    host: withoutPort(of('x-host-header') || of('cs(Host)') || host),
    target: query === '' ? stem : `${stem}?${query}`,
    status,
    responseMs: seconds >= 0 ? Math.round(seconds * 1000) : 0,
    userAgent: decodedTwice(of('cs(User-Agent)')),
    address: addressOf(of('c-ip')),
    referrer: decodedTwice(of('cs(Referer)')),
    country: '',
  }
}

/** CloudFront percent-encodes spaces, quotes, percent signs and characters beyond ASCII. */
function decoded(field: string): string {
  try {
    return decodeURIComponent(field)
  } catch {
    return field
  }
}

/** Older CloudFront logs encode headers twice: `%2520`. */
function decodedTwice(field: string): string {
  const once = decoded(field)
  return once.includes('%20') ? decoded(once) : once
}
