import type { Command } from 'commander'
import { invalid } from '../../core/errors.ts'
import { type Context, perform } from '../run.ts'
import { onStopSignals } from '../signals.ts'
import { withStores } from '../stores.ts'
import { example, ofProject } from './change.ts'
import { describeRows } from './import-analytics.ts'

interface Options {
  readonly project: string
  readonly credentials: string
  readonly days: string
  readonly site?: string
  readonly property?: string
}

const interrupted = 130

/** Brings in reports from where they are made. */
export function addPull(program: Command): void {
  const parent = program.command('pull').description('Brings in reports of Google, by its API')
  const source = (name: string) =>
    ofProject(parent, name)
      .requiredOption('--credentials <file>', 'the key of a service account, as JSON')
      .option('--days <number>', 'so many days that end today', '28')
  source('search-console')
    .option('--site <site>', 'the site, such as sc-domain:example.com; else the linked one')
    .description(
      'Brings in clicks and impressions of the last days. Share the site with the service account first. Google has ' +
        'them some two days late: run it daily, and rows that are there are replaced.',
    )
    .addHelpText('after', example('pull search-console --project 8c1e… --credentials key.json'))
    .action(perform<Options>((context, options) => run(context, 'searchConsole', options)))
  source('web-analytics')
    .option('--property <number>', 'the property; else the linked one')
    .description(
      'Brings in sessions of the last days out of Google Analytics 4. Give the service account the role of a viewer ' +
        'first. Run it daily: rows that are there are replaced.',
    )
    .addHelpText(
      'after',
      example('pull web-analytics --project 8c1e… --credentials key.json --property 123456789'),
    )
    .action(perform<Options>((context, options) => run(context, 'webAnalytics', options)))
}

async function run(
  context: Context,
  kind: 'searchConsole' | 'webAnalytics',
  { project, credentials, days, site, property }: Options,
) {
  if (!/^[1-9]\d{0,3}$/.test(days)) throw invalid('days', 'must be a number of days from 1')
  const { pull } = await import('../pull.ts')
  const stop = new AbortController()
  const unwatch = onStopSignals(
    () => stop.abort(),
    () => process.exit(interrupted),
  )
  try {
    const result = await withStores(context, (stores) =>
      pull(stores, {
        kind,
        projectId: project.toLowerCase(),
        credentials,
        name: site ?? property,
        days: Number(days),
        baseUrl: context.settings.GOOGLE_API_URL,
        signal: stop.signal,
      }),
    )
    return { json: result, text: describeRows(result) }
  } finally {
    unwatch()
  }
}
