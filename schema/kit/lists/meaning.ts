import type { InputFieldMap } from '@pothos/core'
import { countryCode } from '../../../core/countries.ts'
import { fingerprint } from '../../../core/pagination.ts'
import { namedPlatform } from '../../../core/platforms.ts'
import { resolveWindow, type WindowArgs } from '../../../core/window.ts'
import { flatArgs, windowRuleOf } from '../inputs.ts'

interface Asked {
  /** The arguments of the list, flat as in REST. */
  readonly args: InputFieldMap
  /** What the client gave, without `first` and `after`. */
  readonly given: object
  readonly now: Date
}

/** How values of a filter are compared; other texts mean themselves, and ids any case. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  platform: (text) => namedPlatform(text) ?? text.toLowerCase(),
  country: (text) => countryCode(text) ?? text.toLowerCase(),
}

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)

function meaning(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = new Set(value.map((item) => meaning(name, item)))
    // An empty filter filters nothing.
    return all.size === 0 ? undefined : [...all].sort()
  }
  if (typeof value !== 'string') return value
  return spellings[name]?.(value) ?? (isId(value) ? value.toLowerCase() : value)
}

/**
 * The identity of a list: its field, its parent and what its arguments mean, however they are written. A cursor
 * belongs to one list.
 */
export function meaningOf(field: string, parent: string, { args, given, now }: Asked): string {
  const flat = flatArgs(args, given)
  const { days, from, to, preset }: WindowArgs = flat
  const filters: Record<string, unknown> = { ...flat }
  for (const name of ['isInput', 'days', 'from', 'to', 'preset']) delete filters[name]
  const rule = windowRuleOf(args)
  const window = rule ? resolveWindow({ days, from, to, preset }, rule, now) : { days, from, to }
  const meant = Object.entries(filters)
    // Two flags say which prompts count: a flag that is false filters nothing.
    .filter(([name, value]) => value !== false || !/^(un)?branded$/.test(name))
    .map(([name, value]) => [name, meaning(name, value)] as const)
  return fingerprint(field, { ...window, ...Object.fromEntries(meant), of: parent })
}
