import { LRUCache } from 'lru-cache'
import { exception } from './exception.ts'

/** How a text becomes the inside of a literal: undefined when it does not fit the type. */
export type Fit = (text: string) => string | undefined

export interface ParamType {
  /** The type as the engine's CAST takes it. */
  readonly sql: string
  readonly fit?: Fit
  readonly nullable?: boolean
  readonly element?: ParamType
}

function integer(signed: boolean, bits: number): Fit {
  const low = signed ? -(2n ** BigInt(bits - 1)) : 0n
  const high = 2n ** BigInt(signed ? bits - 1 : bits) - 1n
  return (text) => {
    if (!/^[+-]?\d{1,80}$/.test(text)) return undefined
    const value = BigInt(text.replace('+', ''))
    return value >= low && value <= high ? String(value) : undefined
  }
}

/** A calendar date of the years that the type can hold. */
function date(firstYear: number, lastYear: number): Fit {
  return (text) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
    if (match === null) return undefined
    const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
    const actual = new Date(Date.UTC(year, month - 1, day))
    const exists = actual.getUTCMonth() === month - 1 && actual.getUTCDate() === day
    return exists && year >= firstYear && year <= lastYear ? text : undefined
  }
}

/** `YYYY-MM-DD hh:mm:ss` or seconds since 1970, either with up to `digits` digits of a second. */
function dateTime(digits: number, firstYear: number, lastYear: number): Fit {
  const onDate = date(firstYear, lastYear)
  const fraction = digits === 0 ? '' : `(\\.\\d{1,${digits}})?`
  const clock = new RegExp(`^(\\d{4}-\\d{2}-\\d{2}) ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d${fraction}$`)
  const seconds = new RegExp(`^\\d{1,10}${fraction}$`)
  return (text) => {
    if (seconds.test(text)) return Number(text) <= 4_294_967_295 ? text : undefined
    const day = clock.exec(text)?.[1]
    return day !== undefined && onDate(day) !== undefined ? text : undefined
  }
}

function pattern(form: RegExp): Fit {
  return (text) => (form.test(text) ? text : undefined)
}

const scalars: Record<string, Fit> = {
  String: (text) => text,
  UUID: pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  Float32: pattern(/^[+-]?(\d+(\.\d*)?(e[+-]?\d+)?|inf|nan)$/i),
  Float64: pattern(/^[+-]?(\d+(\.\d*)?(e[+-]?\d+)?|inf|nan)$/i),
  Bool: pattern(/^(0|1|true|false)$/i),
  // Whole years only: the ranges end within 2106 and 2149.
  Date: date(1970, 2148),
  DateTime: dateTime(0, 1970, 2105),
  ...Object.fromEntries(
    [8, 16, 32, 64, 128, 256].flatMap((bits) => [
      [`Int${bits}`, integer(true, bits)],
      [`UInt${bits}`, integer(false, bits)],
    ]),
  ),
}

function readType(text: string): ParamType | undefined {
  const type = text.trim()
  const fit = Object.hasOwn(scalars, type) ? scalars[type] : undefined
  if (fit !== undefined) return { sql: type, fit }
  const [, name, inside = ''] = /^(\w+)\s*\(([\s\S]*)\)$/.exec(type) ?? []
  if (name === 'Nullable') {
    const inner = readType(inside)
    if (inner?.fit === undefined || inner.nullable) return undefined
    return { sql: `Nullable(${inner.sql})`, fit: inner.fit, nullable: true }
  }
  if (name === 'Array') {
    const element = readType(inside)
    return element && { sql: `Array(${element.sql})`, element }
  }
  const zone = String.raw`'([A-Za-z][\w+/-]{0,40})'`
  if (name === 'DateTime' && new RegExp(`^\\s*${zone}\\s*$`).test(inside)) {
    return { sql: `DateTime(${inside.trim()})`, fit: dateTime(0, 1970, 2105) }
  }
  if (name === 'DateTime64') {
    const digits = new RegExp(`^\\s*([0-9])\\s*(?:,\\s*${zone}\\s*)?$`).exec(inside)?.[1]
    if (digits === undefined) return undefined
    return { sql: `DateTime64(${inside.trim()})`, fit: dateTime(Number(digits), 1900, 2261) }
  }
  return undefined
}

/** The texts come from our own statements: the bound only keeps a stranger from growing it. */
const types = new LRUCache<string, { readonly type: ParamType | undefined }>({ max: 1000 })

/**
 * The type of a placeholder.
 * @throws {Exception} 457 for one that is not supported
 */
export function paramType(name: string, text: string): ParamType {
  let found = types.get(text)
  if (!found) {
    found = { type: readType(text) }
    types.set(text, found)
  }
  const { type } = found
  if (type === undefined) {
    throw exception(457, `The type ${text} of the query parameter '${name}' is not supported`)
  }
  return type
}
