import type { Command } from 'commander'
import { type Obtained, waysToObtain } from '../../../core/collecting/obtained.ts'
import { notFound } from '../../../core/errors.ts'
import { type Rating, ratedBy } from '../../../core/text/rated-by.ts'
import { CliError } from '../../errors.ts'
import { readDay } from '../../input/day.ts'
import { runningUrl } from '../../links.ts'
import { idNamed } from '../../names.ts'
import { commandGroup, example, projectCommand } from '../../options.ts'
import { type CommandResult, type Context, perform } from '../../run.ts'
import { type Stores, withStores } from '../../stores.ts'
import { csvOfReport } from './csv.ts'
import { optionOf, type ReportDefinition, readReports } from './definitions.ts'
import { type GraphReport, graphReports } from './graph.ts'
import { addProve } from './prove.ts'
import { readable } from './readable.ts'
import { addScheduledReports } from './scheduled.ts'
import { type Shape, shapeOf } from './shape.ts'
import { addSharedReports } from './shared.ts'
import { withNamedCells } from './typed-table.ts'

interface Options extends Readonly<Record<string, unknown>> {
  readonly project: string
  readonly csv?: true | string
}

/** Adds the reports of a project, each with the filters that REST gives it. */
export function addReport(program: Command): void {
  const group = commandGroup(
    program,
    'report',
    'show the numbers of a project, create reports and share them',
    'report source-domains --project Sony --days 90 --platform chatgpt --csv',
  )
  // The definitions of all reports are read only by who asks for one.
  if (!process.argv.some((arg) => arg === 'report' || arg === 'reports')) return
  group.commandsGroup('Create and share:')
  addSharedReports(group)
  addProve(group)
  group.commandsGroup('On a schedule:')
  addScheduledReports(group)
  const definitions = [...readReports(), ...graphReports()]
  for (const [area, ofArea] of Object.entries(Object.groupBy(definitions, ({ area }) => area))) {
    group.commandsGroup(`${area}:`)
    for (const definition of ofArea ?? []) addOne(group, definition)
  }
}

function addOne(group: Command, definition: ReportDefinition | GraphReport): void {
  const { name, summary, path, query } = definition
  const command = projectCommand(group, name).description(firstLower(summary))
  for (const each of path) command.argument(`<${each.name}>`, each.description)
  for (const each of query) {
    const flags = `${optionOf(each.name)} <${each.isList ? 'values' : 'value'}>`
    if (each.isRequired) command.requiredOption(flags, each.description)
    else command.option(flags, each.description)
  }
  command.option('--csv [list]', 'print a list of the report as CSV; by default its first one')
  const ids = path.map((each) => ` <${each.name}>`).join('')
  command.addHelpText('after', example(`report ${name}${ids} --project Sony`))
  command.action(
    perform<Options, string[]>((context, options, ...given) =>
      show(context, definition, options, given),
    ),
  )
}

/** What the table of a report leaves out: keys that say something else to a reader, and columns that few need. All are in `--json`. */
const hiddenIn: Readonly<Record<string, ReadonlySet<string>>> = {
  agreement: new Set([
    'mentions.questionCount',
    'firstPlaces.questionCount',
    'domains.questionCount',
  ]),
  articles: new Set([
    'slug',
    'source',
    'keywords',
    'metaDescription',
    'ogImage',
    'isPillar',
    'tags',
    'createdAt',
    'readTime',
    'visibility',
  ]),
  brands: new Set(['sentiment.rated', 'sentiment.unrated', 'sentiment.methodVersion']),
  prompts: new Set([
    'topics',
    'lastUpdated',
    'usesFallbackLocation',
    'currentRevision',
    'isFromOnboarding',
    'isCustomized',
    'updatedAt',
  ]),
  // Its `totalCitations` is the number of domains.
  'source-domains': new Set([
    'totalCitations',
    'avgCitations',
    'avgCitationsPerResponse',
    'models',
    'topContentTypes',
    'subdomains',
  ]),
  'source-urls': new Set(['totalCitations', 'totalResponses', 'hasContent']),
}

/** Descriptions of commands begin in lower case, but for words such as URL. */
const firstLower = (text: string) =>
  text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())

async function show(
  context: Context,
  definition: ReportDefinition | GraphReport,
  options: Options,
  given: readonly string[],
): Promise<CommandResult> {
  if (options.csv && context.asJson) {
    throw new CliError('usage', 'Give `--csv` or `--json`, not both.', { exitCode: 2 })
  }
  return withStores(context, async (stores) => {
    const target = { stores, projectId: options.project }
    const values = await valuesOf(target, definition, options)
    const read = 'document' in definition ? readGraph : readRest
    const { body, shape, csv, rating } = await read(
      context,
      target,
      definition as GraphReport,
      values,
      given,
    )
    const shown = withNamedCells(shape, body)
    if (!context.asJson) sayCut(body, values)
    if (!options.csv) {
      const text = [readable(shown.body, hiddenIn[definition.name]), rating && `Rated ${rating}.`]
        .filter(Boolean)
        .join('\n\n')
      const link = context.asJson ? undefined : await pageLink(context, target, definition, body)
      return {
        json: body,
        text: link === undefined ? text : `${text}\n\nIn the dashboard: ${link}`,
      }
    }
    const list = options.csv === true ? undefined : options.csv
    const text = (list === undefined && csv()) || csvOfReport(shown.shape, shown.body, list)
    // The byte-order mark is for files that a spreadsheet opens. The last LF is written after each text.
    return { json: body, text: text.replace(/^\uFEFF/, '').replace(/\n$/, '') }
  })
}

/** Says on standard error that a report covers fewer days than were asked for. */
function sayCut(body: Answer['body'], { days }: Values): void {
  const [asked] = days ?? []
  const { from, to } = (body.dateRange ?? {}) as { from?: string; to?: string }
  if (asked === undefined || from === undefined || to === undefined) return
  const covered = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  if (covered < Number(asked)) {
    process.stderr.write(`These are ${covered} days, the most that the report covers.\n`)
  }
}

const dayMs = 86_400_000

/** The pages that show what the reports of an area are about; other areas are on the Overview. */
const pages: Readonly<Record<string, string>> = {
  Answers: 'answers',
  Collecting: 'data-collection',
  Competition: 'competitors',
  Prompts: 'prompts',
  Projects: 'settings',
  Reports: 'reports',
  Site: 'site-audit',
  Sources: 'sources',
  Traffic: 'ai-traffic',
  'Web analytics': 'ai-traffic',
}

/** The page of the dashboard that shows more; undefined while no service runs. */
async function pageLink(
  context: Context,
  { stores, projectId }: Target,
  { area }: ReportDefinition,
  body: Answer['body'],
): Promise<string | undefined> {
  const base = await runningUrl(context, stores.secrets)
  const { from, to } = (body.dateRange ?? {}) as { from?: string; to?: string }
  const days = from === undefined || to === undefined ? '' : `?from=${from}&to=${to}`
  return base && `${base}/projects/${projectId}/${pages[area] ?? 'overview'}${days}`
}

interface Target {
  readonly stores: Stores
  readonly projectId: string
}

type Values = Readonly<Record<string, readonly string[]>>

const isDay = new Set(['from', 'to', 'startDate', 'endDate'])

/** The texts of the options that were given, with ids in the place of names. */
async function valuesOf(
  { stores, projectId }: Target,
  { query }: ReportDefinition,
  options: Options,
): Promise<Values> {
  const values: Record<string, string[]> = {}
  for (const { name, isList } of query) {
    const text = options[name]
    if (typeof text !== 'string') continue
    const parts = (isList ? text.split(',') : [text]).map((part) => part.trim())
    if (isDay.has(name)) for (const part of parts) readDay(name, part)
    if (name === 'obtained') for (const part of parts) readWay(part)
    values[name] = await Promise.all(parts.map((part) => idNamed(stores.db, projectId, name, part)))
  }
  return values
}

const isWay = (text: string): text is Obtained => waysToObtain.some((way) => way === text)

/** @throws {CliError} `usage` for what is no way to obtain answers */
function readWay(text: string): Obtained {
  if (isWay(text)) return text
  const rule = `must be of ${waysToObtain.join(', ')}`
  throw new CliError('usage', `\`--obtained\` ${rule}; got \`${text}\`.`, { exitCode: 2 })
}

interface Answer {
  readonly body: Record<string, unknown>
  readonly shape: Shape
  /** The CSV of REST; undefined where REST has none. */
  csv(): string | undefined
  /** Who rated the answers of a report about sentiment, which REST has no place for. */
  readonly rating?: string | undefined
}

const raterOf = `query ($project: ID!, $window: Window) {
  project(id: $project) {
    sentiment(window: $window) { summary { method methodVersion } } } }`

/** An operation of REST over the stores of a command. */
async function readRest(
  context: Context,
  target: Target,
  definition: ReportDefinition,
  { obtained, ...values }: Values,
  given: readonly string[],
): Promise<Answer> {
  const { stores, projectId } = target
  const path: Record<string, string> = { projectId }
  for (const [index, { name }] of definition.path.entries()) {
    path[name] = await idNamed(stores.db, projectId, name, given[index] ?? '')
  }
  const query = new URLSearchParams(
    Object.entries(values).flatMap(([name, texts]) => texts.map((text) => [name, text])),
  )
  const { openLocal, askGraph, schemas, owner } = await openReads(context, target)
  // REST counts all answers: how they were obtained narrows what its reports read.
  const reader = obtained ? { ...owner, obtained: obtained.map(readWay) } : owner
  const read = openLocal(schemas.restSchema, reader)
  const { type, ...answer } = await read({ operationId: definition.operationId, path, query })
  const { project } = definition.operationId.startsWith('getSentiment')
    ? await askGraph(schemas.publicSchema, reader, raterOf, {
        project: projectId,
        window: rangeOf(answer.body),
      })
    : {}
  const { summary } = (project as { sentiment?: { summary?: Rating } } | undefined)?.sentiment ?? {}
  return {
    ...answer,
    shape: shapeOf(type, (_field, depth) => depth < 5),
    rating: summary && ratedBy(summary),
  }
}

/** The days of a report, as a window of the graph. */
function rangeOf({ dateRange }: Answer['body']) {
  const { from, to } = (dateRange ?? {}) as { from?: string; to?: string }
  return from && to ? { from, to } : undefined
}

/** A list of the graph over the stores of a command. */
async function readGraph(
  context: Context,
  target: Target,
  { document, shape, variables }: GraphReport,
  values: Values,
): Promise<Answer> {
  const given = { ...variables(values), project: target.projectId }
  const { askGraph, schemas, owner } = await openReads(context, target)
  const { project } = await askGraph(schemas.publicSchema, owner, document, given)
  const { report } = project as { report: Answer['body'] | Answer['body'][] }
  const body = Array.isArray(report) ? { rows: report } : report
  return { body, shape, csv: () => undefined }
}

/** Both doors, for an owner of the project's workspace. */
async function openReads({ settings }: Context, { stores, projectId }: Target) {
  const [{ askGraph, openLocal }, schemas, { contextOf }] = await Promise.all([
    import('../../../rest/handler/local.ts'),
    import('../../../schema/index.ts'),
    import('../../../digest/context.ts'),
  ])
  const owner = await contextOf(settings, stores, projectId)
  if (!owner) throw notFound()
  return { askGraph, openLocal, schemas, owner }
}
