import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { ParamRule } from '../../core/params.ts'
import { lengthOf, type WindowRule } from '../../core/window.ts'
import type { Context } from './context.ts'
import { madeFor, madeTypes } from './made-for.ts'
import { notice } from './notice.ts'

type ArgConfigs = Readonly<Record<string, { readonly extensions?: object | null | undefined }>>

/** An argument that stops at a largest number. */
interface Clamp {
  readonly name: string
  readonly max: number
  readonly givenIn: (args: Readonly<Record<string, unknown>>) => unknown
}

/** Says that a field did not take the whole window of the object that it is of. */
function noticeInherited(
  context: Context,
  parent: unknown,
  max: number,
  { parentType, path }: GraphQLResolveInfo,
): void {
  const asked = madeFor(parent)
  const days = asked === undefined ? 0 : lengthOf(asked)
  if (days <= max) return
  const word = madeTypes[parentType.name as keyof typeof madeTypes]
  const message = `\`window\` is that of the ${word}, of ${days} days, and the field takes at most ${max}: it used the last ${max}.`
  notice(context, { code: 'clamped', path, message })
}

function clampsOf(configs: ArgConfigs): Clamp[] {
  return Object.entries(configs).flatMap(([arg, { extensions }]): Clamp[] => {
    const { param, window } = (extensions ?? {}) as { param?: ParamRule; window?: WindowRule }
    if (window) {
      const givenIn: Clamp['givenIn'] = (args) => (args[arg] as { days?: unknown } | null)?.days
      return [{ name: `${arg}.days`, max: window.maxDays, givenIn }]
    }
    if (!param?.clamp || param.max === undefined) return []
    return [{ name: arg, max: param.max, givenIn: (args) => args[arg] }]
  })
}

/** The resolver of a field, which says what a client gave and the field did not take in full. */
export function sayingClamps<Args extends object>(
  resolve: GraphQLFieldResolver<unknown, object, Args>,
  args: ArgConfigs,
): GraphQLFieldResolver<unknown, object, Args> {
  const clamps = clampsOf(args)
  if (clamps.length === 0) return resolve
  const { window: rule } = (args.window?.extensions ?? {}) as { window?: WindowRule }
  return (parent, given, context, info) => {
    const isGiven = (given as { window?: unknown }).window != null
    if (rule && !isGiven) noticeInherited(context as Context, parent, rule.maxDays, info)
    for (const { name, max, givenIn } of clamps) {
      const value = givenIn(given as Readonly<Record<string, unknown>>)
      if (typeof value !== 'number' || value <= max) continue
      const message = `\`${name}\` is ${value}, and the field takes at most ${max}: it used ${max}.`
      notice(context as Context, { code: 'clamped', path: info.path, message })
    }
    return resolve(parent, given, context, info)
  }
}
