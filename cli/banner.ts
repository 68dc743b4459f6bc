import { styleText } from 'node:util'
import type { Demo } from '../demo/demo.ts'
import type { DataDir } from './folder/data-dir.ts'

/** What a service that has started tells. */
export interface Started {
  readonly version: string
  /** Where it is reached, without a slash at the end. */
  readonly url: string
  /** Where the tracker takes events. */
  readonly trackerUrl: string
  readonly dataDir: DataDir
  readonly demo: Demo | null
  readonly readyMs: number
}

/** The same for programs. */
export function startedJson(started: Started): Record<string, unknown> {
  const { url, trackerUrl, dataDir, demo, readyMs, version } = started
  return {
    version,
    url,
    graphql: `${url}/graphql`,
    rest: `${url}/api/mcp/projects`,
    docs: `${url}/docs`,
    trackerUrl,
    dataDir: dataDir.path,
    logFile: dataDir.logFile,
    pid: process.pid,
    readyMs,
    demo,
  }
}

/** What a person sees after `npm start`: where it is, a key, and one line to try. */
export function banner(started: Started): string {
  const { url, trackerUrl, dataDir, demo, readyMs, version } = started
  // The pages take the key from the address; the part after # is never sent.
  const withKey = demo?.key ? `#key=${demo.key}` : ''
  const row = (name: string, value: string) => `  ${style('dim', name.padEnd(10))} ${value}`
  const lines = [
    '',
    `  ${style('bold', 'Sightline')} ${version} ${style('dim', `answers after ${seconds(readyMs)}`)}`,
    '',
    row('GraphiQL', style('cyan', `${url}/graphql${withKey}`)),
    row('REST', style('cyan', `${url}/docs${withKey}`)),
    row('Tracker', `${trackerUrl}/v1/events`),
    row('Data', dataDir.path),
  ]
  if (demo?.key) {
    const path = `/api/mcp/projects/${demo.projectId}/sources/domains?limit=5`
    lines.push(
      row('Demo key', demo.key),
      '',
      '  Try it:',
      '',
      `  curl -H "Authorization: Bearer ${demo.key}" "${url}${path}"`,
    )
  }
  lines.push('', style('dim', `  Ctrl-C stops it. Its log: ${dataDir.logFile}`), '')
  return `${lines.join('\n')}\n`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function style(format: 'bold' | 'dim' | 'cyan', text: string): string {
  return styleText(format, text, { stream: process.stdout })
}
