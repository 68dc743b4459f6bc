import { type CliResult, firstLine, resultOf, spawnCli } from '../service.ts'

/** What a site's server sends with. */
export interface Sender {
  readonly key: string
  readonly siteToken: string
}

const gptBot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

/** An event as a site's server sends it: GPTBot has asked for the path now. */
export function hitOf(path: string): object {
  return {
    event_name: 'server_request',
    timestamp: Date.now(),
    method: 'GET',
    path,
    url: `https://www.acme.com${path}`,
    status_code: 200,
    response_time_ms: 12,
    user_agent: gptBot,
  }
}

/** Sends a hit of GPTBot for each path, in one request. @returns the status of the answer */
export async function sendHits(
  trackerUrl: string,
  { key, siteToken }: Sender,
  paths: readonly string[],
): Promise<number> {
  const response = await fetch(`${trackerUrl}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ site_token: siteToken, events: paths.map(hitOf) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** `sightline tracker` on a free port. */
export async function startTrackerAlone(
  dataDir: string,
  env: Record<string, string>,
): Promise<{ url: string; stop(): Promise<CliResult> }> {
  const child = spawnCli(['tracker', '--json'], { env: { ...env, DATA_DIR: dataDir } })
  const ended = resultOf(child)
  const ready = await Promise.race([firstLine(child), ended])
  if (typeof ready !== 'string') throw new Error(`It did not start: ${JSON.stringify(ready)}`)
  return {
    url: JSON.parse(ready).url,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
