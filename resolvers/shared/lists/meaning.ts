import { countryCode } from '../../../core/countries.ts'
import { namedPlatform } from '../../../core/platforms.ts'
import { resolveWindow, type WindowArgs, type WindowRule } from '../../../core/window.ts'

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

const isOfWindow = (name: string) => /^(days|from|to|preset)$/.test(name)

/** What the filters of a list mean, however they are written. */
export function filterMeaning(filters: object): Record<string, unknown> {
  const meant = Object.entries(filters)
    .filter(([name]) => name !== 'namedByClient' && !isOfWindow(name))
    // Two flags say which prompts count: a flag that is false filters nothing.
    .filter(([name, value]) => value !== false || !/^(un)?branded$/.test(name))
    .map(([name, value]) => [name, meaning(name, value)] as const)
  return Object.fromEntries(meant)
}

/**
 * What the window and the filters of a list mean, for the identity of its cursors and its snapshot.
 * @param args flat, as of REST, without the place of a page
 * @param rule of the window; undefined for a list without one
 * @param now the time of the first page, which the days of a window depend on
 * @throws {Fault} `invalid_argument` for the window
 */
export function listMeaning(
  args: WindowArgs & object,
  rule: WindowRule | undefined,
  now: Date,
): Record<string, unknown> {
  const { days, from, to, preset } = args
  const window = rule ? resolveWindow({ days, from, to, preset }, rule, now) : { days, from, to }
  return { ...window, ...filterMeaning(args) }
}
