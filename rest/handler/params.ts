import { type GraphQLArgument, getNamedType, isListType, isNonNullType } from 'graphql'
import { countriesIn } from '../../core/countries.ts'
import { type Fault, invalid } from '../../core/errors.ts'
import { checkParam, notInRange, type ParamRule } from '../../core/params.ts'
import { oneOfRule } from '../../core/rule-text.ts'

function integer(name: string, text: string, rule: ParamRule): number {
  if (!/^[+-]?\d+$/.test(text)) throw notInRange(name, rule, text)
  const value = Number(text)
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}

function flag(name: string, text: string): boolean {
  const value = text.toLowerCase()
  if (value !== 'true' && value !== 'false') throw invalid(name, 'must be true or false', text)
  return value === 'true'
}

function one(name: string, text: string, type: string, rule: ParamRule): unknown {
  if (type === 'SafeInt') return integer(name, text, rule)
  if (type === 'Boolean') return flag(name, text)
  // What has rules of its own says what it accepts.
  const isOpen = (type === 'String' || type === 'ID') && rule.values === undefined
  if (isOpen && !rule.mayBeEmpty && text.trim() === '') throw invalid(name, 'must not be empty')
  return text
}

function list(name: string, texts: readonly string[], type: string, rule: ParamRule): unknown[] {
  const items = texts.flatMap((text) => text.split(',')).map((item) => item.trim())
  const given = items.filter((item) => item !== '')
  if (given.length === 0) throw invalid(name, 'must not be empty')
  const values = rule.isCountry ? countriesIn(given) : given
  return values.map((item) => one(name, item, type, rule))
}

/** A comma parts ids of lists: taken as one id, two would be found nowhere. */
function refuseSeveralIds(name: string, text: string): void {
  if (text.includes(',')) throw invalid(name, 'must be one id', text)
}

function missing(name: string, { values }: ParamRule): Fault {
  return invalid(name, values ? `is required and ${oneOfRule(values)}` : 'is required')
}

/**
 * The arguments of a field from the query string: typed and checked by the rules that stand in the
 * schema. Unknown parameters are ignored; a single-valued one that is repeated is refused.
 * @throws {Fault} `invalid_argument` that names the parameter
 */
export function readArguments(
  args: readonly GraphQLArgument[],
  path: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const arg of args) {
    const { name } = arg
    const rule = (arg.extensions.param ?? {}) as ParamRule
    const fromPath = path[name]
    const texts = fromPath === undefined ? query.getAll(name) : [fromPath]
    const type = isNonNullType(arg.type) ? arg.type.ofType : arg.type
    const typeName = getNamedType(type).name
    if (texts.length === 0) {
      if (isNonNullType(arg.type)) throw missing(name, rule)
      continue
    }
    if (isListType(type)) {
      values[name] = checkParam(name, list(name, texts, typeName, rule), rule)
      continue
    }
    const [text, ...repeated] = texts
    if (text === undefined || repeated.length > 0) throw invalid(name, 'must be given once')
    if (typeName === 'ID' && fromPath === undefined) refuseSeveralIds(name, text)
    values[name] = checkParam(name, one(name, text, typeName, rule), rule, text)
  }
  return values
}

/** How much a client wants a media type that its `Accept` names: 0 to 1, and 0 for a type that it does not name. */
function wish(accept: string, types: readonly string[]): number {
  const named = accept.split(',').map((item) => item.replaceAll(/\s/g, '').toLowerCase().split(';'))
  const wishes = named.flatMap(([type = '', ...params]) => {
    const weight = params.find((param) => param.startsWith('q='))?.slice(2)
    return types.includes(type) ? [weight === undefined ? 1 : Number(weight) || 0] : []
  })
  return Math.max(0, ...wishes)
}

/** Whether `Accept` names CSV, and JSON less. A client that takes anything gets JSON. */
const prefersCsv = (accept: string) =>
  wish(accept, ['text/csv']) > wish(accept, ['application/json', 'application/*'])

/**
 * `format`: json unless asked; csv only where the operation has rows to export. There, the header `Accept` decides where
 * `format` is absent.
 */
export function readFormat(query: URLSearchParams, hasCsv: boolean, accept = ''): 'json' | 'csv' {
  const assumed = hasCsv && prefersCsv(accept) ? 'csv' : 'json'
  const [format = assumed, ...repeated] = query.getAll('format')
  if (repeated.length > 0) throw invalid('format', 'must be given once')
  if (format === 'json') return 'json'
  if (format !== 'csv') throw invalid('format', 'must be json or csv', format)
  if (!hasCsv) throw invalid('format', 'must be json: this endpoint has no CSV')
  return 'csv'
}
