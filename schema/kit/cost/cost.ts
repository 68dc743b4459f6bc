import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { ParamRule } from '../../../core/params.ts'
import { quartersOf, type WindowArgs } from '../../../core/window.ts'
import { type CountedList, countedLists } from '../../../resolvers/projects/sizes.ts'
import { madeTypes } from '../made-for.ts'

/**
 * What a document costs, which is known before it runs. A report of a project costs 1, as the same report by REST
 * does. A report of an object below it costs less, since all objects of a list share one statement. What a list leads to
 * counts for each row that was asked for, or that is there, where the catalog knows it.
 * @see https://ibm.github.io/graphql-specs/cost-spec.html
 */

/** Its objects are few, and each has reports of its own. */
const owners = ['Query', 'Mutation', 'Subscription', 'Project', 'Workspace']
const ownWeight = 1
/** All objects of a list share one statement: measured, fifty of them take as long as one report of the project. */
const sharedWeight = 0.02

/** Fields that cost less or more than their place says. */
const weights: Readonly<Record<string, number>> = {
  // The request itself costs 1.
  'Query.project': 0,
  'Query.workspace': 0,
  'Query.node': 0,
  'Query.nodes': 0,
  // Facts of the project itself, which is loaded with its name.
  'Project.brandProfile': 0,
  'Project.integrations': 0,
  'Project.sitemap': 0,
  // Measured by `bench/costs.ts`: these read all citations.
  'Project.sourceDomains': 2,
  'Project.sourceUrls': 3,
  // Measured alike: these count the answers of each prompt, or of each cited site, for every brand.
  'Project.promptResults': 3,
  'Project.domainsToWin': 5,
  'Project.urlsToWin': 8,
  // The spread of each measure between prompts.
  'Project.samplePlan': 4,
  // Measured alike: a set of answers for each row, and the URLs of all of them.
  'SourceDomain.coCitedUrls': 0.1,
  'SourceUrl.coCitedUrls': 0.1,
  'Page.coCitedUrls': 0.1,
  // A statement of its own for each, which reads up to 60 days.
  'Opportunity.outcome': 0.5,
  // It counts rows of all days.
  'Workspace.retentionPreview': 5,
  // These search the texts of answers.
  'Answer.places': 0.05,
  'Project.brandMatches': 5,
  'Project.suggestedCompetitors': 5,
  'Project.search': 5,
  'Project.previewReanalysis': 20,
}

/** Lists that have at most a row for each of these in the catalog, by their types. */
const countedTypes: Readonly<Record<CountedList, readonly string[]>> = {
  projects: ['Project'],
  topics: ['Topic', 'VisibilityTopic', 'HeatmapTopic'],
  prompts: [
    'Prompt',
    'PromptResult',
    'AnsweredPrompt',
    'VisibilityPrompt',
    'RankedPrompt',
    'FanoutPrompt',
  ],
  locations: ['Location', 'VisibilityLocation'],
  platforms: ['Platform'],
  competitors: ['Competitor'],
  brands: ['BrandStanding', 'BrandShareOfVoice'],
}

const countedByType = new Map<string, CountedList>(
  countedLists.flatMap((list) =>
    countedTypes[list].map((row) => [`${row}Connection`, list] as const),
  ),
)

export const countedIn = (typeName: string): CountedList | undefined => countedByType.get(typeName)

/** Rows of a list whose length no argument says, such as the brands that an answer names. */
const usualRows = 10

const rowFields = ['nodes', 'edges']

type Field = Pick<GraphQLField<unknown, unknown>, 'name' | 'args' | 'type'>

/** The weight of a field, and how often the cost of its selection counts. */
export interface FieldCost {
  readonly weight: number
  readonly size?: ListSize
}

interface ListSize {
  readonly assumedSize: number
  /** The argument that says how many rows, and the most that it may say, where there is one. */
  readonly slicing?: { readonly argument: string; readonly max?: number | undefined }
  /** The fields of the answer that hold the rows; absent where the answer is the rows. */
  readonly sizedFields?: readonly string[]
}

const argumentOf = ({ args }: Field, name: string) => args.find((arg) => arg.name === name)

const isList = (type: GraphQLOutputType): boolean =>
  isNonNullType(type) ? isList(type.ofType) : isListType(type)

function weightOf(owner: string, field: Field): number {
  const own = weights[`${owner}.${field.name}`]
  if (own !== undefined) return own
  if (!owners.includes(owner)) {
    const isRead = argumentOf(field, 'window') || argumentOf(field, 'first')
    return isRead ? sharedWeight : 0
  }
  const type = getNamedType(field.type)
  // An object that is loaded with its neighbours.
  const isEdge = field.args.length === 0 && isObjectType(type) && type.getFields().id !== undefined
  return isCompositeType(type) && !isEdge ? ownWeight : 0
}

function sizeOf(field: Field): ListSize | undefined {
  const first = argumentOf(field, 'first')
  if (first) {
    // A field may have a `first` of its own, whose rule says neither.
    const { default: assumed, max } = (first.extensions.param ?? {}) as ParamRule
    const slicing = { argument: 'first', max }
    const assumedSize = Number(assumed ?? usualRows)
    // Where the answer is the rows, no field holds them.
    return isList(field.type)
      ? { assumedSize, slicing }
      : { assumedSize, slicing, sizedFields: rowFields }
  }
  if (!isList(field.type) || !isCompositeType(getNamedType(field.type))) return undefined
  if (argumentOf(field, 'ids')) {
    return { assumedSize: usualRows, slicing: { argument: 'ids', max: 1000 } }
  }
  // The rows of a page count with the page.
  return rowFields.includes(field.name) ? undefined : { assumedSize: usualRows }
}

const known = new WeakMap<Field, FieldCost>()

/** What a field of a type costs. */
export function costOf({ name }: Pick<GraphQLCompositeType, 'name'>, field: Field): FieldCost {
  const cost = known.get(field) ?? { weight: weightOf(name, field), ...sized(sizeOf(field)) }
  known.set(field, cost)
  return cost
}

const sized = (size: ListSize | undefined) => (size ? { size } : {})

/** What a field of a document costs. */
export interface FieldCharge {
  /** The cost of the field, without that of its selection. */
  readonly own: number
  /** The objects that it makes, for each of its rows. */
  readonly objects: 0 | 1
  /** How often the cost of its selection counts: the rows that were asked for. */
  readonly rows: number
  /** Of a list whose number of rows an argument says. */
  readonly argument?: string
  /** Of a list that has no more rows than the catalog has of these. */
  readonly counted?: CountedList
  /** The window that the field leaves to the fields below it. */
  readonly window?: unknown
}

/** What a field costs with its arguments, and with the window that it inherits where it has none. */
export function fieldCharge(
  type: Pick<GraphQLCompositeType, 'name'>,
  field: Field,
  given: Readonly<Record<string, unknown>>,
  inherited?: unknown,
): FieldCharge {
  const { weight, size } = costOf(type, field)
  const named = getNamedType(field.type)
  const counted = countedIn(named.name)
  // The rows of a page count with the page.
  const isObject = isCompositeType(named) && (size !== undefined || !rowFields.includes(field.name))
  // The fields of all other objects take 30 days.
  const handed = type.name in madeTypes ? inherited : undefined
  // Pages and their rows lead on what their list got.
  const window = argumentOf(field, 'window') ? (given.window ?? handed) : inherited
  const own = argumentOf(field, 'window') ? window : undefined
  return {
    window,
    own: weight * (own ? quartersOf(own as WindowArgs) : 1),
    objects: isObject ? 1 : 0,
    rows: size ? rowsOf(size, given) : 1,
    ...(size?.slicing?.argument === 'first' && { argument: 'first' }),
    ...(size && counted && { counted }),
  }
}

function rowsOf({ assumedSize, slicing }: ListSize, given: Readonly<Record<string, unknown>>) {
  const asked = slicing && given[slicing.argument]
  if (Array.isArray(asked)) return asked.length
  if (typeof asked !== 'number') return assumedSize
  return Math.min(Math.max(asked, 0), slicing?.max ?? Number.POSITIVE_INFINITY)
}
