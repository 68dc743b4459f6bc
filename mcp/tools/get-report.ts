import { z } from 'zod'
import { waysToObtain } from '../../core/collecting/obtained.ts'
import { linkTo } from '../links.ts'
import { answerReports } from '../reports/answers.ts'
import type { FilterWord, Found, Report } from '../reports/report.ts'
import { siteReports } from '../reports/site.ts'
import { wrongArgument } from '../run.ts'
import { idsOf, projectIdOf } from '../scope.ts'
import { type Table, withinBudget } from '../table.ts'
import { cursor, days, placeOf, platforms, project, range, table, windowOf } from './schemas.ts'
import { type ToolContext, tool } from './tool.ts'

const reports = { ...answerReports, ...siteReports }
const names = Object.keys(reports) as (keyof typeof reports)[]

const input = z.strictObject({
  project,
  report: z.enum(names),
  by: z
    .enum(['total', 'day', 'topic', 'prompt', 'platform', 'location', 'brand', 'definition'])
    .default('total')
    .describe(
      'visibility: all; definition: as by other tools. share_of_voice, sentiment: day, brand. citations: platform, brand.',
    ),
  days: days(365),
  ...range,
  compare: z.enum(['previous_period', 'previous_year']).optional(),
  platforms,
  topics: z.array(z.string().max(200)).max(20).optional().describe('Names or ids.'),
  countries: z.array(z.string().max(100)).max(20).optional(),
  branded: z.boolean().optional().describe("false: prompts without the brand's name."),
  obtained: z.array(z.enum(waysToObtain)).min(1).optional().describe('surface: the app.'),
  prompt: z.string().max(100).optional().describe('For answers: id of their prompt.'),
  mentioned: z.boolean().optional().describe('For answers: they mention the brand.'),
  brand: z.string().max(200).optional().describe('For answers: they mention this brand.'),
  cites: z.string().max(2000).optional().describe('For answers: domain or URL they cite.'),
  sort: z.string().max(40).optional(),
  limit: z.int().min(1).max(100).optional().describe('Rows. Default: 20, or 100 days.'),
  cursor,
})

type Given = z.output<typeof input>

/** The filters of a call by the word that reports know them by. */
const filterWords: Readonly<Record<string, FilterWord>> = {
  platforms: 'platforms',
  topics: 'topics',
  countries: 'countries',
  branded: 'branded',
  obtained: 'obtained',
  prompt: 'answers',
  mentioned: 'answers',
  brand: 'answers',
  cites: 'answers',
}

function reportOf({ report, by }: Given): Report {
  const parts: Readonly<Record<string, Report>> = reports[report]
  const found = parts[by]
  if (found) return found
  throw wrongArgument(
    `\`by: ${by}\` does not go with ${report}.`,
    `It takes ${Object.keys(parts).join(', ')}.`,
  )
}

/** Refuses what a report would ignore: numbers must be those that were asked for. */
function refuseUnused(given: Given, report: Report): void {
  const { days: ofDays, from, to, compare, sort } = given
  const unused = Object.entries(filterWords)
    .filter(
      ([name, word]) => given[name as keyof Given] !== undefined && !report.filters.includes(word),
    )
    .map(([name]) => name)
  if (!report.hasWindow && (ofDays ?? from ?? to) !== undefined) unused.push('days, from and to')
  if (!report.canCompare && compare !== undefined) unused.push('compare')
  if (!report.sorts && sort !== undefined) unused.push('sort')
  if (unused.length > 0) {
    throw wrongArgument(`${given.report} by ${given.by} does not take ${unused.join(', ')}.`)
  }
  if (sort !== undefined && !report.sorts?.includes(sort)) {
    throw wrongArgument(`\`sort\` must be one of ${report.sorts?.join(', ')}.`)
  }
}

/** The filters of the graph; those of a list have the same names, and more. */
async function filterOf(given: Given, projectId: string, { ask }: ToolContext) {
  const { topics, brand, countries, branded, obtained, prompt, mentioned, cites } = given
  const { topicIds, brandId } = await idsOf(ask, projectId, {
    ...(topics && { topics }),
    ...(brand !== undefined && { brand }),
  })
  const common = {
    ...(given.platforms && { platforms: given.platforms }),
    ...(topicIds && { topicIds }),
    ...(countries && { countries }),
    ...(branded !== undefined && { branded }),
    ...(obtained && { obtained }),
  }
  const isUrl = cites?.includes('/')
  const answers = {
    ...common,
    ...(prompt !== undefined && { promptId: prompt }),
    ...(mentioned !== undefined && { mentioned }),
    ...(brandId !== undefined && { brands: { all: [brandId] } }),
    ...(cites !== undefined && (isUrl ? { citedUrls: [cites] } : { citedDomains: [cites] })),
  }
  return { common, answers, topicIds }
}

/** The variables that a document declares, of all that a report could ask with. */
function declared(document: string, all: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([name, value]) => value !== undefined && new RegExp(`\\$${name}\\b`).test(document),
    ),
  )
}

/** A page of what was found: the graph's own, or a part of a whole list. */
function pageOf(
  { rows, total, next }: Found,
  { after, limit }: { after?: string | undefined; limit: number },
) {
  if (next !== undefined) {
    return { rows, page: { returned: rows.length, total, ...(next !== null && { next }) } }
  }
  const place = placeOf(after)
  const shown = rows.slice(place, place + limit)
  const end = place + shown.length
  const page = { returned: shown.length, total, ...(end < total && { next: String(end) }) }
  return { rows: shown, page }
}

/** Says which filters the page of the dashboard does not have. */
function unlinkedOf(given: Given): string[] {
  const names = (['countries', 'prompt', 'mentioned', 'brand', 'cites'] as const).filter(
    (name) => given[name] !== undefined,
  )
  return names.length > 0 ? [`The page of \`link\` is not filtered by ${names.join(', ')}.`] : []
}

export const getReport = tool({
  name: 'get_report',
  title: 'Get a report',
  description:
    'One report of a project as a table. Shares are percentages with `low` and `high` (95% interval) and `n` of `of` answers: say them, and call a difference real only where `significant` is true.',
  input,
  output: table,
  async run(given, context): Promise<Table> {
    const { ask, baseUrl, notices } = context
    const report = reportOf(given)
    refuseUnused(given, report)
    const window = windowOf(given)
    const projectId = await projectIdOf(ask, given.project)
    const { common, answers, topicIds } = await filterOf(given, projectId, context)
    const { compare, sort, cursor: after } = given
    const text = report.document.toString()
    const tableOf = async (limit: number): Promise<Table> => {
      const variables = declared(text, {
        project: projectId,
        window,
        compare,
        filter: common,
        prompts: common,
        sources: common,
        urls: common,
        fanout: common,
        platforms: common,
        answers,
        promptSort: sort,
        sourceSort: sort,
        opportunitySort: sort,
        first: limit,
        after,
      })
      // `declared` has kept the variables that the document declares.
      const data = (await ask(report.document, variables as never)) as {
        readonly project?: { readonly id: string; readonly name: string } | null
      }
      if (!data.project)
        throw wrongArgument(`No project "${given.project}".`, 'Call list_projects.')
      const found = report.found(data.project, compare !== undefined)
      const { rows, page } = pageOf(found, { after, limit })
      const notes = [...(found.notes ?? []), ...notices, ...unlinkedOf(given)]
      const { id, name } = data.project
      const shown = { ...window, compare, platforms: given.platforms, topics: topicIds }
      return {
        project: { id, name },
        report: given.by === 'total' ? given.report : `${given.report} by ${given.by}`,
        ...(found.window && { window: found.window }),
        ...(found.method && { method: found.method }),
        columns: found.columns,
        rows,
        page,
        ...(notes.length > 0 && { notes }),
        link: linkTo(baseUrl, id, report.page, {
          ...shown,
          branded: given.branded,
          how: given.obtained,
        }),
      }
    }
    const whole = await tableOf(given.limit ?? (given.by === 'day' ? 100 : 20))
    const { rows, notes = [] } = withinBudget(whole, 'Go on with `next`.')
    if (rows.length === whole.rows.length) return whole
    // A page of that size has the cursor that goes on from its last row.
    return { ...(await tableOf(Math.max(1, rows.length))), notes }
  },
})
