import type { InputFieldMap } from '@pothos/core'
import { Fault, fieldFault } from '../../core/errors.ts'
import { checkParam } from '../../core/params.ts'
import { type WindowArgs, type WindowRule, windowPresets } from '../../core/window.ts'
import type { FilterArgs } from '../../resolvers/shared/filters.ts'
import { filterArgs, ruleOfWindow, windowArgs } from './args.ts'
import { builder } from './builder.ts'

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
    'The UTC calendar days that a report covers, both ends included: `days`, or `from` and `to`, or `preset`.',
  fields: (t) => ({
    days: t.field({
      type: 'SafeInt',
      description: 'Number of days; the last one is today. More than the report covers is clamped.',
    }),
    from: t.field({ type: 'Date', description: 'First day. Needs `to`.' }),
    to: t.field({ type: 'Date', description: 'Last day. Needs `from`.' }),
    preset: t.field({ type: preset, description: 'A window by its name.' }),
  }),
})

const filterInput = builder.inputType('Filter', {
  description: 'The answers that a report counts: those that pass every given filter.',
  fields: (t) => ({
    platforms: t.stringList({
      description:
        'Only answers of these AI platforms: ids, display names, aliases or raw model ids, case-insensitive.',
    }),
    topicIds: t.idList({ description: 'Only answers to prompts of these topics.' }),
    countries: t.stringList({
      description: 'Only answers collected in these countries: ISO 3166-1 codes or English names.',
    }),
    locationIds: t.idList({ description: 'Only answers collected at these tracked locations.' }),
    branded: t.boolean({
      description:
        'True keeps only prompts that name the own brand, false only prompts that do not.',
    }),
  }),
})

type WindowInput = typeof windowInput.$inferInput
type Filter = typeof filterInput.$inferInput

/** The arguments of a report in GraphQL: `window` and `filter` in place of the flat ones. */
export function graphArgs(args: InputFieldMap): InputFieldMap {
  const rule = ruleOfWindow(args)
  const flat = new Set([
    ...(rule ? Object.keys(windowArgs) : []),
    ...(hasFilter(args) ? Object.keys(filterArgs) : []),
  ])
  const own = Object.entries(args).filter(([name]) => !flat.has(name))
  return {
    ...(rule ? { window: windowArg(rule) } : {}),
    ...(hasFilter(args) ? filterArg : {}),
    ...Object.fromEntries(own),
  }
}

const hasFilter = (args: InputFieldMap) => Object.keys(filterArgs).every((name) => name in args)

/** `window` of a field that is no report, and its flat arguments. */
export function windowOf(rule: WindowRule) {
  return {
    args: { window: windowArg(rule) },
    /** @throws {Fault} `invalid_argument` that names `days` */
    flat: ({ window }: { window?: WindowInput | null | undefined }): WindowArgs => {
      if (!window) return {}
      const days = checkParam('days', window.days, { min: 1, max: rule.maxDays, clamp: true })
      return { ...window, days: days as number | null | undefined }
    },
  }
}

function windowArg({ defaultDays, maxDays }: WindowRule) {
  return builder.args((t) => ({
    window: t.field({
      type: windowInput,
      description: `Days that the report covers. Default the ${defaultDays} days that end today; at most ${maxDays} days.`,
    }),
  })).window
}

const filterArg = builder.args((t) => ({
  filter: t.field({ type: filterInput, description: 'Which answers count; all without it.' }),
}))

/** The flat arguments that say the same as those of `graphArgs`. */
export function flatArgs(args: InputFieldMap, given: object): object {
  const flat: Record<string, unknown> = { ...given }
  const rule = ruleOfWindow(args)
  // Some reports have an argument of their own by this name.
  if (rule) {
    delete flat.window
    Object.assign(flat, windowOf(rule).flat(given))
  }
  if (hasFilter(args)) {
    const { filter } = given as { filter?: Filter | null }
    delete flat.filter
    if (filter) Object.assign(flat, flatFilter(filter))
  }
  return flat
}

function flatFilter({ platforms, topicIds, countries, locationIds, branded }: Filter): FilterArgs {
  return {
    platform: platforms,
    topicId: topicIds?.map(String),
    country: countries,
    locationId: locationIds?.map(String),
    branded: branded === true,
    unbranded: branded === false,
    isInput: true,
  }
}

const inWindow = new Set(['days', 'from', 'to', 'preset'])

/** Names the field of the input object in a fault about the window. */
export async function withInputNames<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (cause) {
    const [[field, texts] = []] = Object.entries(
      (cause instanceof Fault && cause.extras.details?.fieldErrors) || {},
    )
    if (field === undefined || !inWindow.has(field) || !(cause instanceof Fault)) throw cause
    throw fieldFault(cause.code, `window.${field}`, texts?.[0] ?? '')
  }
}
