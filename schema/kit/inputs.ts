import type { InputFieldMap, InputRef } from '@pothos/core'
import { Fault, fieldFault, invalid } from '../../core/errors.ts'
import { namingMissing } from '../../core/missing.ts'
import { checkParam, type ParamRule } from '../../core/params.ts'
import { type WindowArgs, type WindowRule, windowPresets } from '../../core/window.ts'
import type { FilterArgs, FilterNames } from '../../resolvers/shared/filters.ts'
import { type FilterName, formOf } from './args.ts'
import { builder, type Types } from './builder.ts'
import { obtained } from './obtained.ts'

/**
 * The window and the filters of a report as GraphQL writes them: two input objects, the same for every report. REST
 * writes the same as flat parameters, by which the resolvers read both.
 */

const presetMeanings = {
  last_7_days: 'The 7 days that end today.',
  last_28_days: 'The 28 days that end today: four whole weeks.',
  last_90_days: 'The 90 days that end today.',
  month_to_date: 'From the first day of this month to today.',
  last_month: 'The whole month before this one.',
  year_to_date: 'From 1 January to today.',
}

const preset = builder.enumType('WindowPreset', {
  description: 'A window by its name. Days are UTC calendar days.',
  values: Object.fromEntries(
    windowPresets.map((name) => [name, { description: presetMeanings[name] }]),
  ) as Record<keyof typeof presetMeanings, { description: string }>,
})

const windowInput = builder.inputType('Window', {
  description:
    'UTC days that a report covers, both ends included: `days`, or `from` and `to`, or `preset`.',
  fields: (t) => ({
    days: t.field({
      type: 'Int',
      description: 'Days; the last one is today. More than the report covers is clamped.',
    }),
    from: t.field({ type: 'Date', description: 'First day. Needs `to`.' }),
    to: t.field({ type: 'Date', description: 'Last day. Needs `from`.' }),
    preset: t.field({ type: preset, description: 'A window by its name.' }),
  }),
})

type FilterFields = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>

interface FilterOptions {
  /** What the filters keep; answers unless given. */
  readonly rows?: string
  /** Filters that most reports share. */
  readonly names?: readonly FilterName[]
  readonly meanings?: Partial<Record<FilterName, string>>
  /** Only for reports that name the input: another has the same fields. */
  readonly isByName?: boolean
  /** Filters of these reports alone. */
  readonly own?: Readonly<Record<string, (t: FilterFields) => InputFieldMap[string]>>
}

const answerMeanings: Record<FilterName, string> = {
  platforms: 'Only answers of these AI platforms: slugs, names or raw model ids.',
  topicIds: 'Only answers to prompts of these topics.',
  countries: 'Only answers from these countries: ISO 3166-1 codes or English names.',
  locationIds: 'Only answers collected at these tracked locations.',
  branded: 'Only prompts that name the own brand, or with false that do not.',
  obtained:
    'Only answers obtained in one of these ways. Without it all ways count: `method` says which.',
}

interface FilterType {
  readonly name: string
  readonly names: readonly string[]
  readonly isByName: boolean
  readonly rows: string
  readonly type: InputRef<object>
  readonly description: string
}

const filterTypes: FilterType[] = []

/**
 * Declares an input of the filters that one kind of reports knows. A report whose arguments have exactly these filters
 * takes it as `filter`. A field means the same in each input.
 */
export function filterInput(
  name: string,
  { rows = 'Answers', names = [], meanings = {}, own = {}, isByName = false }: FilterOptions,
): void {
  const texts = { ...answerMeanings, ...meanings }
  const fieldOf = (t: FilterFields, field: FilterName) => {
    const options = { description: texts[field] }
    if (field === 'branded') return t.boolean(options)
    if (field === 'obtained') return t.field({ type: [obtained], ...options })
    return field.endsWith('Ids') ? t.idList(options) : t.stringList(options)
  }
  const type = builder.inputType(name, {
    description: `${rows} that pass every given filter.`,
    fields: (t) =>
      Object.fromEntries([
        ...names.map((field) => [field, fieldOf(t, field)]),
        ...Object.entries(own).map(([field, fieldWith]) => [field, fieldWith(t)]),
      ]),
  })
  const description = `Default: all ${rows.charAt(0).toLowerCase()}${rows.slice(1)}.`
  const all = [...names, ...Object.keys(own)]
  filterTypes.push({ name, names: all, isByName, rows, type, description })
}

/** The filters of answers that most reports know. */
export const answerFilters = [
  'platforms',
  'topicIds',
  'countries',
  'locationIds',
  'branded',
  'obtained',
] as const
filterInput('Filter', { names: answerFilters })
filterInput('PlatformFilter', { names: ['platforms', 'obtained'] })
filterInput('ObtainedFilter', { names: ['obtained'] })
filterInput('FanoutFilter', { names: answerFilters, isByName: true })

/** The values of `filter` by the names of its fields. */
type Filter = Readonly<Record<string, unknown>>

type WindowInput = typeof windowInput.$inferInput

/** What GraphQL has in place of flat arguments. */
function readForms(args: InputFieldMap) {
  const own: [flat: string, name: string, arg: InputFieldMap[string]][] = []
  const filters = new Map<string, string>()
  const rules = new Map<string, ParamRule>()
  let rule: WindowRule | undefined
  let input: string | undefined
  for (const [flat, arg] of Object.entries(args)) {
    const form = formOf(arg) ?? {}
    if ('window' in form) rule = form.window
    else if ('filter' in form) {
      filters.set(form.filter, flat)
      input = form.input ?? input
      if (form.rule) rules.set(flat, form.rule)
    } else own.push([flat, form.name ?? flat, form.arg ?? arg])
  }
  return { rule, filter: filterOfAll(filters, input), filters, rules, own }
}

function filterOfAll(asked: ReadonlyMap<string, string>, input?: string): FilterType | undefined {
  if (asked.size === 0) return undefined
  const [found, other] = filterTypes.filter(
    ({ name, names, isByName }) =>
      (input === undefined ? !isByName : input === name) &&
      names.length === asked.size &&
      names.every((field) => asked.has(field)),
  )
  const fields = [...asked.keys()].join(', ')
  if (!found) throw new Error(`no input has the filters ${fields}`)
  if (other) throw new Error(`${found.name} and ${other.name} have the filters ${fields}`)
  return found
}

/** The rule of the window among the arguments; undefined where they have none. */
export const windowRuleOf = (args: InputFieldMap): WindowRule | undefined => readForms(args).rule

/**
 * The arguments of a report in GraphQL: `window` and `filter` in place of the flat ones.
 * @param parent what the field takes window and filters from; without it, it has defaults
 */
export function graphArgs(args: InputFieldMap, parent?: string): InputFieldMap {
  const { rule, filter, own } = readForms(args)
  return {
    ...(rule ? { window: windowArg(rule, undefined, parent) } : {}),
    ...(filter ? { filter: filterArg(filter, parent) } : {}),
    ...Object.fromEntries(own.map(([, name, arg]) => [name, arg])),
  }
}

/** `window` of a field that is no report, and its flat arguments; `graph` hides it from REST. */
export function windowOf(rule: WindowRule, view?: 'graph') {
  return {
    args: { window: windowArg(rule, view) },
    /** @throws {Fault} `invalid_argument` that names `days` */
    flat: ({ window }: { window?: WindowInput | null | undefined }): WindowArgs => {
      if (!window) return {}
      const days = checkParam('days', window.days, { min: 1, max: rule.maxDays, clamp: true })
      return { ...window, days: days as number | null | undefined }
    },
  }
}

function windowArg(rule: WindowRule, view?: 'graph', parent?: string) {
  const { defaultDays, maxDays } = rule
  const fallback = parent ? `that of the ${parent}` : `the last ${defaultDays} days`
  return builder.args((t) => ({
    window: t.field({
      type: windowInput,
      description: `Default: ${fallback}; at most ${maxDays}.`,
      extensions: { window: rule, ...(view && { view }) },
    }),
  })).window
}

function filterArg({ type, rows, description }: FilterType, parent?: string) {
  return builder.args((t) => ({
    filter: t.field({
      type,
      description: parent
        ? `${rows} to keep; without a filter those of the ${parent}.`
        : description,
    }),
  })).filter
}

/** The flat arguments that say the same as those of `graphArgs`. */
export function flatArgs(args: InputFieldMap, given: object): object {
  const { rule, filters, rules, own } = readForms(args)
  const { window, filter, ...rest } = given as { window?: WindowInput; filter?: Filter | null }
  const flat: Record<string, unknown> = { ...rest }
  for (const [flatName, name] of own) {
    if (flatName === name || !(name in flat)) continue
    flat[flatName] = flat[name]
    delete flat[name]
  }
  if (rule) Object.assign(flat, windowOf(rule).flat({ window }))
  if (filters.size > 0 && filter) Object.assign(flat, flatFilter(filter, filters))
  for (const [name, rule] of rules) flat[name] = checkParam(name, flat[name], rule)
  return flat
}

/** What the graph calls the filters of answers. */
export const inputNames = {
  platform: 'filter.platforms',
  topicId: 'filter.topicIds',
  country: 'filter.countries',
  locationId: 'filter.locationIds',
  promptId: 'filter.promptId',
  promptIds: 'filter.promptIds',
} as const satisfies FilterNames

function flatFilter(filter: Filter, flatNames: ReadonlyMap<string, string>): object {
  const flat: Record<string, unknown> = { namedByClient: inputNames } satisfies FilterArgs
  for (const [name, flatName] of flatNames) {
    const value = filter[name]
    // As in REST: a program that finds nothing to filter by must not get everything.
    const isEmpty = Array.isArray(value)
      ? value.length === 0 || value.includes('')
      : value === '' && name !== 'search'
    if (isEmpty) throw invalid(`filter.${name}`, 'must not be empty')
    if (name === 'branded') {
      Object.assign(flat, {
        branded: value === true,
        unbranded: value === false,
      } satisfies FilterArgs)
    } else flat[flatName] = name.endsWith('Ids') && Array.isArray(value) ? value.map(String) : value
  }
  return flat
}

const ofWindow = ['days', 'from', 'to', 'preset'].map((flat) => [flat, `window.${flat}`])

/** What GraphQL calls flat arguments. */
function shownNames(args: InputFieldMap): Readonly<Record<string, string>> {
  const shown = Object.entries(args).flatMap(([flat, arg]) => {
    const form = formOf(arg) ?? {}
    if ('filter' in form) return [[flat, `filter.${form.filter}`]]
    return 'name' in form && form.name !== undefined ? [[flat, form.name]] : []
  })
  return Object.fromEntries([...ofWindow, ...shown])
}

/**
 * Names arguments as GraphQL does in a fault about the window, about one of the flat `args`, or about an id among the
 * `given` ones that finds nothing. REST has one text for whatever is missing.
 */
export async function withInputNames<Answer>(
  answer: () => Promise<Answer>,
  args: InputFieldMap = {},
  given: object = {},
): Promise<Answer> {
  try {
    return await answer()
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const missing = namingMissing(cause, given)
    if (missing !== cause) throw missing
    const [[flat, texts] = []] = Object.entries(cause.extras.details?.fieldErrors ?? {})
    const name = flat === undefined ? undefined : shownNames(args)[flat]
    throw name === undefined ? cause : fieldFault(cause.code, name, texts?.[0] ?? '')
  }
}
