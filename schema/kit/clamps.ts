import type { GraphQLFieldResolver } from 'graphql'
import type { ParamRule } from '../../core/params.ts'
import type { WindowRule } from '../../core/window.ts'
import type { Context } from './context.ts'
import { notice } from './notice.ts'

type ArgConfigs = Readonly<Record<string, { readonly extensions?: object | null | undefined }>>

/** An argument that stops at a largest number. */
interface Clamp {
  readonly name: string
  readonly max: number
  readonly givenIn: (args: Readonly<Record<string, unknown>>) => unknown
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
  return (parent, given, context, info) => {
    for (const { name, max, givenIn } of clamps) {
      const value = givenIn(given as Readonly<Record<string, unknown>>)
      if (typeof value !== 'number' || value <= max) continue
      const message = `\`${name}\` is ${value}, and the field takes at most ${max}: it used ${max}.`
      notice(context as Context, { code: 'clamped', path: info.path, message })
    }
    return resolve(parent, given, context, info)
  }
}
