import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import {
  type DateRange,
  resolveWindow,
  type WindowArgs,
  type WindowRule,
} from '../../core/window.ts'
import { type Context, oncePerRequest, sourcesOf } from './context.ts'
import { madeFor } from './made-for.ts'
import { namesOn, notice } from './notice.ts'

type Path = GraphQLResolveInfo['path']
type ArgConfigs = Readonly<Record<string, { readonly extensions?: object | null | undefined }>>

/** A field of the document with a window of its own, or with the default. */
interface Read {
  readonly names: readonly string[]
  readonly path: Path
  readonly range: DateRange
  readonly isGiven: boolean
}

const readsOf = oncePerRequest(() => new Map<string, Read>())
const saidOf = oncePerRequest(() => new Set<Read>())

const startsWith = (names: readonly string[], others: readonly string[]) =>
  others.every((name, i) => names[i] === name)

/** Whether a reader takes both for numbers of one window: fields of one object, or a field below the other. */
function areTogether(fallen: Read, chosen: Read): 'beside' | 'above' | null {
  if (startsWith(fallen.names, chosen.names)) return 'above'
  const isSibling =
    fallen.names.length === chosen.names.length &&
    startsWith(fallen.names, chosen.names.slice(0, -1))
  return isSibling ? 'beside' : null
}

const inWords = ({ from, to }: DateRange) => `${from} to ${to}`

function sayMixed(context: Context, fallen: Read, chosen: Read): void {
  if (fallen.isGiven || !chosen.isGiven || saidOf(context).has(fallen)) return
  const { from, to } = chosen.range
  if (from === fallen.range.from && to === fallen.range.to) return
  const where = areTogether(fallen, chosen)
  if (where === null) return
  saidOf(context).add(fallen)
  const message = `\`${fallen.names.at(-1)}\` has no \`window\` and covers ${inWords(fallen.range)}, while \`${chosen.names.at(-1)}\` ${where} it covers ${inWords(chosen.range)}. Give both a \`window\`.`
  notice(context, { code: 'mixed_windows', path: fallen.path, message })
}

function rangeOf(window: WindowArgs, rule: WindowRule, now: Date): DateRange | null {
  try {
    return resolveWindow(window, rule, now)
  } catch {
    // The field itself says what is wrong with it.
    return null
  }
}

/**
 * The resolver of a field, which says when the document gives a window to a field beside it or above it, and none to this
 * one: two lengths on one page are easily taken for one.
 */
export function sayingMixedWindows<Args extends object>(
  resolve: GraphQLFieldResolver<unknown, object, Args>,
  args: ArgConfigs,
): GraphQLFieldResolver<unknown, object, Args> {
  const { window: rule } = (args.window?.extensions ?? {}) as { window?: WindowRule }
  if (!rule) return resolve
  const note = (context: Context, window: WindowArgs | null | undefined, path: Path) => {
    const reads = readsOf(context)
    const names = namesOn(path)
    const at = names.join(' ')
    if (reads.has(at)) return
    const range = rangeOf(window ?? {}, rule, sourcesOf(context).now)
    if (range === null) return
    const read: Read = { names, path, range, isGiven: window != null }
    for (const other of reads.values()) {
      sayMixed(context, read, other)
      sayMixed(context, other, read)
    }
    reads.set(at, read)
  }
  return (parent, given, context, info) => {
    const { window } = given as { window?: WindowArgs | null }
    const isSaid = (context as Context).notices !== undefined
    if (isSaid && !(window == null && madeFor(parent))) note(context as Context, window, info.path)
    return resolve(parent, given, context, info)
  }
}
