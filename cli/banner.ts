import { styleText } from 'node:util'
import { print } from '../observability/part-log.ts'
import type { DataDir } from './folder/data-dir.ts'
import type { Context } from './run.ts'
import type { Offered } from './service/prepare-main.ts'
import type { StartStep } from './service/service.ts'

/** A service that has started. */
export interface Started extends Offered {
  readonly version: string
  /** The URL of the API, without a slash at the end. */
  readonly url: string
  /** The URL of the tracker. */
  readonly trackerUrl: string
  /** The address of the metrics; undefined without `METRICS_PORT`. */
  readonly metricsUrl?: string | undefined
  readonly dataDir: DataDir
  readonly readyMs: number
}

/** The start of the service for programs. */
export function startedJson(started: Started): Record<string, unknown> {
  const { url, trackerUrl, metricsUrl, dataDir, demo, codes, readyMs, version } = started
  return {
    version,
    url,
    graphql: `${url}/graphql`,
    rest: `${url}/api/mcp/projects`,
    docs: `${url}/docs`,
    trackerUrl,
    metricsUrl,
    dataDir: dataDir.path,
    logFile: dataDir.logFile,
    pid: process.pid,
    readyMs,
    demo,
    codes,
  }
}

/** One line on what the start does now. */
export function stepText(step: StartStep): string {
  return {
    migrating: '  Preparing the databases …\n',
    makingDemo:
      '  Creating the demo, once: two invented brands and 90 days of answers, citations and crawler visits …\n',
  }[step]
}

/** The start of the service for people: addresses, a key, and one command to try. */
export function banner(started: Started): string {
  const { url, trackerUrl, metricsUrl, dataDir, demo, codes, readyMs, version } = started
  // Browsers keep addresses: a code works once within ten minutes, and a fragment is never sent.
  const codeOf = (page: 'dashboard' | 'graphiql' | 'docs') => (codes ? `#code=${codes[page]}` : '')
  const row = (name: string, value: string) => `  ${style('dim', name.padEnd(10))} ${value}`
  const lines = [
    '',
    `  ${style('bold', 'Sightline')} ${version} ${style('dim', `ready after ${seconds(readyMs)}`)}`,
    '',
    row('Dashboard', style('cyan', `${url}/${codeOf('dashboard')}`)),
    row('GraphiQL', style('cyan', `${url}/graphql${codeOf('graphiql')}`)),
    row('REST', style('cyan', `${url}/docs${codeOf('docs')}`)),
    row('Tracker', `${trackerUrl}/v1/events`),
    ...(metricsUrl ? [row('Metrics', metricsUrl)] : []),
    row('Data', dataDir.path),
  ]
  if (demo?.key) {
    const path = `/api/mcp/projects/${demo.projectId}/sources/domains?limit=5`
    lines.push(
      '',
      '  Try it, with the key of the demo:',
      '',
      `  KEY=${demo.key}`,
      `  curl -H "Authorization: Bearer $KEY" "${url}${path}"`,
    )
  }
  lines.push('', style('dim', `  Ctrl-C stops it. The log: ${dataDir.logFile}`), '')
  return `${lines.join('\n')}\n`
}

/** Prints the address of a part that runs alone. */
export function announce({ asJson }: Context, name: string, about: { url: string }): void {
  const text = `${name} answers at ${about.url} (Ctrl-C stops it)`
  print(1, `${asJson ? JSON.stringify(about) : text}\n`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function style(format: 'bold' | 'dim' | 'cyan', text: string): string {
  return styleText(format, text, { stream: process.stdout })
}
