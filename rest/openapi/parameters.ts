import { isDeepStrictEqual } from 'node:util'
import {
  type GraphQLArgument,
  type GraphQLInputType,
  isEnumType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { ParamRule } from '../../core/params.ts'
import type { Operation } from '../handler/operation.ts'
import { type Json, type Parts, refTo, scalarSchema } from './schemas.ts'

/** Scalars whose form as a parameter differs from their form in a response. */
const spellings: Readonly<Record<string, Json>> = {
  // A day, or a timestamp that is widened to its day: `date-time` alone would ask for an offset.
  Date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt ].+)?$', examples: ['2026-05-01'] },
}

/** The largest value of a number that the service clamps: as `maximum`, a gateway would refuse what is answered. */
const clampedTo = 'x-clamped-to'

function bounds({
  min,
  max,
  clamp,
  values,
  assumed,
  default: fallback = assumed,
}: ParamRule): Json {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { [clamp ? clampedTo : 'maximum']: max }),
    ...(values === undefined ? {} : { enum: values }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

function schemaOf(type: GraphQLInputType, rule: ParamRule): Json {
  if (isNonNullType(type)) return schemaOf(type.ofType, rule)
  if (isListType(type)) {
    return { type: 'array', items: schemaOf(type.ofType, rule), minItems: 1 }
  }
  const known = isEnumType(type)
    ? { type: 'string', enum: type.getValues().map(({ name }) => name) }
    : (spellings[String(type)] ?? scalarSchema(type))
  return { ...known, ...bounds(rule) }
}

function parameterOf({ name, type, description, extensions }: GraphQLArgument, path: string): Json {
  const rule = (extensions.param ?? {}) as ParamRule
  const isInPath = path.includes(`{${name}}`)
  return {
    name,
    in: isInPath ? 'path' : 'query',
    description,
    required: isNonNullType(type),
    ...(rule.list ? { style: 'form', explode: false } : {}),
    schema: schemaOf(type, rule),
  }
}

const format: Json = {
  name: 'format',
  in: 'query',
  description:
    "`csv` returns the rows as CSV (RFC 4180, UTF-8 with a byte-order mark). Cells that a spreadsheet would run as a formula begin with `'`. Lists are JSON in a cell. The header `Link` names the next page. Without `format`, the header `Accept: text/csv` means the same.",
  required: false,
  schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
}

const header = (name: string, description: string, pattern: string, example: string): Json => ({
  name,
  in: 'header',
  description,
  required: false,
  schema: { type: 'string', pattern, examples: [example] },
})

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  description: '`ETag` of a response that you keep. When it is still current, the response is 304.',
  required: false,
  schema: { type: 'string', examples: ['W/"2a-mGuYq7S0Zxq2w2DX7DxMVyqjRyo"'] },
}

const idempotencyKey = header(
  'Idempotency-Key',
  'A text of your choice. A repetition of the request within 24 hours returns the first response and changes nothing.',
  '^[\\x20-\\x7e]{1,255}$',
  '7a4a09a2-5b1c-4f0e-9d0a-6f2a3c1de9b4',
)

const ifMatch = header(
  'If-Match',
  '`currentRevision` that you have seen, or the `ETag` of the prompt. A newer revision refuses the write. The field `expectedRevision` of the body means the same.',
  '^((W/)?"[1-9]\\d*"|[1-9]\\d*)$',
  '"5"',
)

/** The parameters of an operation: the arguments of its field, then headers. */
export function parametersOf({ route, field, isWrite, isConditional }: Operation): Json[] {
  const isGet = route.method === 'GET'
  const args = field.args.filter(({ name, extensions }) => {
    const { refused } = (extensions.param ?? {}) as ParamRule
    return !refused && (isGet || route.path.includes(`{${name}}`))
  })
  return [
    ...args.map((arg) => parameterOf(arg, route.path)),
    ...(route.csv === undefined ? [] : [format]),
    ...(isGet ? [ifNoneMatch] : []),
    ...(isWrite ? [idempotencyKey] : []),
    ...(isConditional ? [ifMatch] : []),
  ]
}

/** The name of a parameter among the shared ones: those that differ by their bounds differ by name. */
function partName({ name, schema }: Json): string {
  const { default: fallback, [clampedTo]: most } = schema as Json
  return most === undefined ? String(name) : `${name}-${fallback ?? ''}-${most}`
}

/** Groups of equal parameters, the largest group first. */
function alike(parameters: readonly Json[]): Json[][] {
  const groups = Map.groupBy(parameters, (parameter) => JSON.stringify(parameter))
  return [...groups.values()].sort((a, b) => b.length - a.length)
}

/** Parameters of several operations, as shared parts. A rarer parameter of the same name stays inline. */
export function sharedParameters(all: readonly Json[]) {
  const parts: Parts = {}
  for (const [name, found] of Map.groupBy(all, partName)) {
    const [first, second] = alike(found)[0] ?? []
    if (first && second) parts[name] = first
  }
  const refer = (parameter: Json): Json => {
    const name = partName(parameter)
    return isDeepStrictEqual(parts[name], parameter) ? refTo('parameters', name) : parameter
  }
  return { parts, refer }
}
