import type { EnumRef, InputFieldMap } from '@pothos/core'
import type { ParamRule } from '../../core/params.ts'
import { comparisons, type WindowRule, yearWindow } from '../../core/window.ts'
import { builder, type Types } from './builder.ts'
import { obtained } from './obtained.ts'

const param = (rule: ParamRule) => ({ extensions: { param: rule } })

/** `projectId` of a field that is not a field of `Project`. */
export const projectArgs = builder.args((t) => ({
  projectId: t.id({ required: true, description: 'Id of the project.' }),
}))

/** What GraphQL has in place of an argument of REST. */
export type GraphForm =
  /** The input `window`, whatever REST calls its arguments. */
  | { readonly window: WindowRule }
  /** A field of the input `filter`, by its name there; `input` is the type, where two have the same fields. */
  | { readonly filter: string; readonly input?: string; readonly rule?: ParamRule }
  /** Another argument, such as an enum in place of a text. */
  | { readonly name?: string; readonly arg?: InputFieldMap[string] }

export type FilterName =
  | 'platforms'
  | 'topicIds'
  | 'countries'
  | 'locationIds'
  | 'branded'
  | 'obtained'

const forms = new WeakMap<object, GraphForm>()

export const formOf = (arg: object): GraphForm | undefined => forms.get(arg)

/** The arguments of REST, each with its form in GraphQL. */
export function inGraph<Args extends InputFieldMap>(args: Args, form: GraphForm): Args {
  for (const arg of Object.values(args)) forms.set(arg, form)
  return args
}

/** `days`, `from` and `to` of a report whose window has a rule of its own; `rest` hides them from the graph. */
export function windowArgsOf(rule: WindowRule, view?: 'rest') {
  const { defaultDays, maxDays } = rule
  const seen = view && { view }
  const args = builder.args((t) => ({
    days: t.field({
      type: 'Int',
      description: `UTC calendar days in the window, which ends today. Default ${defaultDays}; at most ${maxDays}, more is clamped. Excludes \`from\` and \`to\`.`,
      extensions: {
        param: { min: 1, max: maxDays, clamp: true, assumed: defaultDays } satisfies ParamRule,
        ...seen,
      },
    }),
    from: t.field({
      type: 'Date',
      extensions: { ...seen },
      description: `First day of the window, inclusive, UTC; not after today. Needs \`to\`. The window may span ${maxDays} days.`,
    }),
    to: t.field({
      type: 'Date',
      extensions: { ...seen },
      description:
        'Last day of the window, inclusive, UTC. Needs `from`. Days after today have no data.',
    }),
  }))
  return inGraph(args, { window: rule })
}

/** The same of most reports. */
export const windowArgs = windowArgsOf(yearWindow)

export const comparisonMode = builder.enumType('ComparisonMode', {
  description: 'The earlier window that a report is compared with.',
  values: {
    previous_period: { description: 'The window of the same length just before.' },
    previous_year: {
      description: 'The same dates one year before; 29 February becomes 28 February.',
    },
  },
})

/** `compare` of a report that can be set beside an earlier window. */
export const compareArgs = builder.args((t) => ({
  compare: t.field({
    type: comparisonMode,
    description: 'Adds an earlier window and the changes since.',
    ...param({ values: comparisons }),
  }),
}))

/** The same where only the graph has it. */
export const compareInGraph = builder.args((t) => ({
  compare: t.field({
    type: comparisonMode,
    description: 'Adds the changes since an earlier window.',
    extensions: { view: 'graph' },
  }),
}))

/** The filters that reports share. */
export const filterArgs = builder.args((t) => ({
  platform: t.stringList({
    description: 'Only answers of these AI platforms: ids, names or raw model ids.',
    ...param({ list: true }),
  }),
  topicId: t.stringList({
    description: 'Only answers to prompts of these topics.',
    ...param({ list: true }),
  }),
  unbranded: t.boolean({ description: 'True keeps only prompts that do not name the own brand.' }),
  branded: t.boolean({ description: 'True keeps only prompts that name the own brand.' }),
  country: t.stringList({
    description: 'Only answers from these countries: ISO 3166-1 codes or English names.',
    ...param({ list: true, isCountry: true }),
  }),
  locationId: t.stringList({
    description: 'Only answers collected at these tracked locations.',
    ...param({ list: true }),
  }),
  obtained: t.field({
    type: [obtained],
    description: 'Only answers that were obtained in one of these ways.',
    extensions: { view: 'graph' },
  }),
}))

const { platform, topicId, unbranded, branded, country, locationId } = filterArgs
inGraph({ platform }, { filter: 'platforms' })
inGraph({ topicId }, { filter: 'topicIds' })
inGraph({ unbranded, branded }, { filter: 'branded' })
inGraph({ country }, { filter: 'countries' })
inGraph({ locationId }, { filter: 'locationIds' })
inGraph({ obtained: filterArgs.obtained }, { filter: 'obtained' })

/** How many rows a page has unless asked, and at most. */
export interface PageSize {
  readonly default: number
  readonly max: number
}

/** A list that its resolver reads whole. */
export const wholeSize: PageSize = { default: 50, max: 1000 }

const pageSizes = new WeakMap<object, PageSize>()

/** The size of a page among the arguments of a list; undefined where the report is no list. */
export function sizeOfPage({ limit }: InputFieldMap): PageSize | undefined {
  return limit && pageSizes.get(limit)
}

/** `first` and `after` of a connection. An over-long page is clamped. */
export function forwardArgs(size: PageSize) {
  return builder.args((t) => ({
    first: t.field({
      type: 'Int',
      description: `Default ${size.default} rows, at most ${size.max}.`,
      ...param({ min: 1, max: size.max, clamp: true, default: size.default }),
    }),
    after: t.string({
      description: 'Cursor: the page after it.',
    }),
  }))
}

/**
 * `limit` and `offset` of a list. An over-long page is clamped.
 * @param sizeInGraph where it differs
 */
export function pageArgs(size: PageSize, sizeInGraph = size) {
  return sized(
    sizeInGraph,
    builder.args((t) => ({
      limit: limitArg(t, size),
      offset: t.field({
        type: 'Int',
        description: 'Rows to skip.',
        ...param({ min: 0, default: 0 }),
      }),
    })),
  )
}

function sized<Args extends { readonly limit: object }>(size: PageSize, args: Args): Args {
  pageSizes.set(args.limit, size)
  return args
}

type ArgBuilder = Parameters<Parameters<typeof builder.args>[0]>[0]

function limitArg(t: ArgBuilder, size: PageSize) {
  return t.field({
    type: 'Int',
    description: `Rows in a page. Default ${size.default}; at most ${size.max}, more is clamped.`,
    ...param({ min: 1, max: size.max, clamp: true, default: size.default }),
  })
}

/** `limit` and `cursor` of a list that pages by cursor. */
export function cursorArgs(size: PageSize) {
  return sized(
    size,
    builder.args((t) => ({
      limit: limitArg(t, size),
      cursor: t.string({
        description:
          '`nextCursor` of the previous page; absent for the first page. Opaque: never build or parse a cursor. A cursor keeps the window and the data of the first page.',
      }),
    })),
  )
}

/** `limit`, `cursor` and `offset` of a list that pages by either. */
export function cursorOrOffsetArgs(size: PageSize) {
  return {
    ...cursorArgs(size),
    ...builder.args((t) => ({
      offset: t.field({
        type: 'Int',
        description: 'Rows to skip. Excludes `cursor`.',
        ...param({ min: 0 }),
      }),
    })),
  }
}

type Words = EnumRef<Types, string>

/** A text of a closed list in REST, and an enum in GraphQL. */
export function choiceArg(
  values: readonly string[],
  fallback: string,
  description: string,
  type: Words,
  /** A sentence about the texts of REST. */
  inRest = '',
) {
  const { choice, arg } = builder.args((t) => ({
    choice: t.string({
      description: `${description}${inRest} One of ${values.map((value) => `\`${value}\``).join(', ')}; default \`${fallback}\`.`,
      ...param({ values, default: fallback }),
    }),
    arg: t.field({ type, description, defaultValue: fallback }),
  }))
  return inGraph({ choice }, { arg }).choice
}

/** Several texts of a closed list: comma-separated in REST, and in GraphQL enums of a field of `filter`. */
export function choiceListArg(values: readonly string[], description: string, filter: string) {
  const { choices } = builder.args((t) => ({
    choices: t.stringList({
      description: `${description} Any of ${values.map((value) => `\`${value}\``).join(', ')}.`,
      ...param({ values, list: true }),
    }),
  }))
  return inGraph({ choices }, { filter }).choices
}

/** The idempotency key of a write, which REST takes as a header. Every mutation has it. */
export const keyedArgs = builder.args((t) => ({
  idempotencyKey: t.string({
    description: 'Makes a repeated request safe: see Idempotency in the docs.',
    extensions: { view: 'graph' },
  }),
}))
