import { isDeepStrictEqual } from 'node:util'
import type { Json, Parts } from './schemas.ts'

/** The direction of a value: a request may accept more than before, a response may not return more. */
export type Direction = 'sent' | 'got'

/** A document, as far as its parts are referred to. */
export interface Referable {
  readonly components?: Readonly<Record<string, Parts>>
}

/** The target of a `$ref`, or the node itself. */
export function resolved(document: Referable, node: Json): Json {
  if (typeof node.$ref !== 'string') return node
  const [, , kind = '', name = ''] = node.$ref.split('/')
  const { $ref: _ref, ...beside } = node
  return { ...resolved(document, document.components?.[kind]?.[name] ?? {}), ...beside }
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const isNull = (node: Json) => node.type === 'null'

/** A schema apart from whether null is a value of it too: `anyOf [X, null]` is X. */
function opened({ anyOf, ...beside }: Json): { node: Json; isNullable: boolean } {
  const [first, ...others] = list(anyOf) as Json[]
  if (first) return { node: { ...first, ...beside }, isNullable: others.some(isNull) }
  return { node: beside, isNullable: list(beside.type).includes('null') }
}

/** Bounds of a value: a new or tighter bound refuses values that were accepted. */
const bounds = [
  ['minimum', 1],
  ['minLength', 1],
  ['minItems', 1],
  ['maximum', -1],
  ['maxLength', -1],
  ['maxItems', -1],
] as const

/** Keywords that mean another value when they change. */
const fixed = ['format', 'pattern', 'const', 'default'] as const

function boundChanges(before: Json, after: Json): string[] {
  return bounds.flatMap(([name, sign]) => {
    const [was, is] = [before[name], after[name]] as [number | undefined, number | undefined]
    const isTighter = is !== undefined && (was === undefined || (is - was) * sign > 0)
    return isTighter ? [`${name} ${was ?? 'none'} became ${is}`] : []
  })
}

function wordChanges(before: Json, after: Json): string[] {
  return fixed.flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    return isDeepStrictEqual(was, is) ? [] : [`${name} ${was ?? 'none'} became ${is ?? 'none'}`]
  })
}

function enumChanges(before: Json, after: Json): string[] {
  if (!Array.isArray(after.enum)) return []
  if (!Array.isArray(before.enum)) return ['only some values are left']
  const left = new Set(after.enum)
  return before.enum.filter((value) => !left.has(value)).map((value) => `value ${value} removed`)
}

function typeChanges(before: Json, after: Json, direction: Direction): string[] {
  const [was, is] = [before, after].map((it) => list(it.type).filter((type) => type !== 'null'))
  const taken = new Set(is?.includes('number') ? [...is, 'integer'] : is)
  const lost = was?.filter((type) => !taken.has(type)) ?? []
  const gained = is?.filter((type) => !was?.includes(type)) ?? []
  return direction === 'sent'
    ? lost.map((type) => `takes no ${type} any more`)
    : gained.map((type) => `can be ${type} now`)
}

function nullChanges(was: boolean, is: boolean, direction: Direction): string[] {
  if (was === is) return []
  if (direction === 'sent') return was ? ['takes no null any more'] : []
  return is ? ['can be null now'] : []
}

/** The changes of schemas that break a client, each part that is referred to compared once. */
export class SchemaComparison {
  readonly #seen = new Set<string>()
  readonly #before: Referable
  readonly #after: Referable

  constructor(before: Referable, after: Referable) {
    this.#before = before
    this.#after = after
  }

  /** One line a change, which begins with `place`, or with the name of the part that both refer to. */
  changes(place: string, before: Json, after: Json, direction: Direction): string[] {
    const [was, is] = [opened(before), opened(after)]
    const nullable = nullChanges(was.isNullable, is.isNullable, direction)
    return [
      ...nullable.map((change) => `${place}: ${change}`),
      ...this.#nodes(place, was.node, is.node, direction),
    ]
  }

  #nodes(place: string, before: Json, after: Json, direction: Direction): string[] {
    const nodes = [resolved(this.#before, before), resolved(this.#after, after)] as const
    if (typeof before.$ref !== 'string' || before.$ref !== after.$ref) {
      return this.#resolved(place, ...nodes, direction)
    }
    const key = `${before.$ref} ${direction}`
    if (this.#seen.has(key)) return []
    this.#seen.add(key)
    return this.#resolved(before.$ref.split('/').pop() ?? place, ...nodes, direction)
  }

  #resolved(place: string, before: Json, after: Json, direction: Direction): string[] {
    const own = [
      ...typeChanges(before, after, direction),
      ...(direction === 'sent' ? boundChanges(before, after) : []),
      ...wordChanges(before, after),
      ...enumChanges(before, after),
    ]
    const [parts, partsNow] = [before, after].map(({ allOf }) => list(allOf) as Json[])
    const items = before.items as Json | undefined
    return [
      ...own.map((change) => `${place}: ${change}`),
      ...this.#properties(place, before, after, direction),
      ...(items ? this.changes(`${place}[]`, items, (after.items ?? {}) as Json, direction) : []),
      ...(parts ?? []).flatMap((part, i) =>
        this.changes(place, part, partsNow?.[i] ?? {}, direction),
      ),
    ]
  }

  #properties(place: string, before: Json, after: Json, direction: Direction): string[] {
    const [was, is] = [before, after].map((it) => (it.properties ?? {}) as Parts)
    const [needed, needs] = [before, after].map((it) => new Set(list(it.required).map(String)))
    const lost = Object.entries(was ?? {}).flatMap(([name, schema]) => {
      const now = is?.[name]
      if (!now) return [`${place}.${name}: removed`]
      const isLess = direction === 'got' && needed?.has(name) && !needs?.has(name)
      const changes = this.changes(`${place}.${name}`, schema, now, direction)
      return [...(isLess ? [`${place}.${name}: can be absent now`] : []), ...changes]
    })
    const asked =
      direction === 'sent' ? [...(needs ?? [])].filter((name) => !needed?.has(name)) : []
    return [...lost, ...asked.map((name) => `${place}.${name}: is required now`)]
  }
}
