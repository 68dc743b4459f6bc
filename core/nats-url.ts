/** What the parameters of `NATS_URL` say about the streams. */
export interface NatsParams {
  /** Servers that have each event. */
  readonly replicas?: number
  /** Most that waits in NATS, in megabytes. */
  readonly backlogMb?: number
}

const replicaCounts = new Set(['1', '3', '5'])
const isBacklog = (text: string) => /^\d{2,6}$/.test(text) && Number(text) >= 16

const urlsIn = (text: string) => text.split(',').map((url) => URL.parse(url.trim()))

/** Whether all are URLs of servers of NATS, with parameters that are known. */
export const areNatsUrls = (text: string): boolean =>
  urlsIn(text).every(
    (url) =>
      url !== null &&
      /^(?:nats|tls):$/.test(url.protocol) &&
      url.host !== '' &&
      [...url.searchParams].every(
        ([name, value]) =>
          (name === 'replicas' && replicaCounts.has(value)) ||
          (name === 'backlog_mb' && isBacklog(value)),
      ),
  )

/** The parameters of any of the URLs, which are separated by commas. */
export function natsParams(urls: string): NatsParams {
  const given = new Map(urlsIn(urls).flatMap((url) => [...(url?.searchParams ?? [])]))
  const [replicas, backlogMb] = [given.get('replicas'), given.get('backlog_mb')]
  return {
    ...(replicas !== undefined && { replicas: Number(replicas) }),
    ...(backlogMb !== undefined && { backlogMb: Number(backlogMb) }),
  }
}
