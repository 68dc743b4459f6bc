import {
  buildSchema,
  type GraphQLField,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { publicSchema, restSchema } from '../../schema/index.ts'

/** Rules that hold of every type of the graph. */

const types = Object.values(publicSchema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
const enums = types.filter(isEnumType)

interface Described {
  readonly place: string
  readonly type: GraphQLType
  readonly description?: string | null | undefined
  readonly isOutput?: true
  readonly extensions: Readonly<{ access?: unknown }>
}

const argumentsOf = (place: string, { args }: GraphQLField<unknown, unknown>): Described[] =>
  args.map((arg) => ({ ...arg, place: `${place}(${arg.name})` }))

/** Every field and every argument, with its place. */
const described: readonly Described[] = types.flatMap((owner): readonly Described[] => {
  if (isInputObjectType(owner)) {
    return Object.values(owner.getFields()).map((field) => ({
      ...field,
      place: `${owner.name}.${field.name}`,
    }))
  }
  if (!isObjectType(owner) && !isInterfaceType(owner)) return []
  return Object.values(owner.getFields()).flatMap((field) => {
    const place = `${owner.name}.${field.name}`
    return [{ ...field, place, isOutput: true }, ...argumentsOf(place, field)]
  })
})

test('every type, field, argument and enum value has a description', () => {
  const places = [
    ...types.map(({ name, description }) => ({ place: name, description })),
    ...enums.flatMap((type) =>
      type.getValues().map((value) => ({ ...value, place: `${type.name}.${value.name}` })),
    ),
    ...described,
  ]
  const silent = places.filter(({ description }) => !description?.trim())
  expect(silent.map(({ place }) => place)).toEqual([])
})

describe('values of enums', () => {
  test('are lower-case words joined by `_`', () => {
    const strays = enums.flatMap((type) =>
      type
        .getValues()
        .filter(({ name }) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))
        .map(({ name }) => `${type.name}.${name}`),
    )
    expect(strays).toEqual([])
  })

  test('stand in texts as the reader sees them', () => {
    const wrong = enums.flatMap((type) => {
      const texts = [
        ...type.getValues().map(({ name, description }) => ({
          place: `${type.name}.${name}`,
          description,
        })),
        ...described.filter((one) => getNamedType(one.type) === type),
      ]
      const hidden = type.getValues().filter(({ name, value }) => name !== value)
      return texts
        .filter(({ description }) =>
          hidden.some(({ value }) => description?.includes(`\`${value}\``)),
        )
        .map(({ place }) => place)
    })
    expect(wrong).toEqual([])
  })

  test('keep their spelling in REST, and mean the same', () => {
    const grouping = (schema: typeof publicSchema) => {
      const type = schema.getType('CorrelationGrouping')
      return isEnumType(type) ? type.getValues().map(({ name, value }) => [name, value]) : []
    }
    const meant = ['path', 'platform', 'botCategory', 'botName']
    expect(grouping(restSchema)).toEqual(meant.map((word) => [word, word]))
    const shown = ['path', 'platform', 'bot_category', 'bot_name']
    expect(grouping(publicSchema)).toEqual(shown.map((name, i) => [name, meant[i]]))
  })
})

describe('arguments', () => {
  /** What names the subject of a field, orders its rows, or chooses a form of the same rows. */
  const subjects = [
    'id',
    'ids',
    'url',
    'domain',
    'name',
    'productId',
    'slug',
    'topicId',
    'brandId',
    'metric',
    'dataset',
    'query',
  ]
  const forms = [
    'sort',
    'compare',
    'engine',
    'groupBy',
    'group',
    'method',
    'topQueriesLimit',
    'fields',
  ]
  /** What chooses among the drivers of one change, which are no rows of a list, the kinds of things that a search is for, and what a file has. */
  const choices = new Set([
    'Investigation.movers(dimensions)',
    'Investigation.movers(top)',
    'Project.recentChanges(until)',
    'Project.search(kinds)',
    'Project.proof(texts)',
  ])
  /** What a preview or a plan tries, and how many answers a preview shows. */
  const tried = [
    'names',
    'competitors',
    'samples',
    'promptIds',
    'topicIds',
    'locationIds',
    'keys',
    'repetitions',
    'providerKeyId',
    'model',
    'language',
    'visibility',
    'cron',
    'timeZone',
    'spreadMinutes',
    'enabled',
    'prompts',
    'platforms',
    'runsPerWeek',
    'windowWeeks',
    'points',
    'answers',
    'crawlerHits',
    'analytics',
    'pageContents',
    'audits',
    'auditTrail',
  ]
  const shared = new Set([
    'window',
    'interval',
    'filter',
    'first',
    'after',
    ...subjects,
    ...forms,
    ...tried,
  ])
  const fieldsOf = (schema: GraphQLSchema) =>
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .filter(({ name }) => !/^(?:Mutation|Subscription|__.*)$/.test(name))
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({
          field,
          place: `${type.name}.${field.name}`,
        })),
      )
  const fields = fieldsOf(publicSchema)

  test('have the days of a window in `window`', () => {
    const flat = fields.flatMap(({ field, place }) =>
      field.args
        .filter(({ name }) => ['days', 'from', 'to'].includes(name))
        .map(({ name }) => `${place}(${name})`),
    )
    expect(flat).toEqual([])
  })

  test('have what narrows a report or a list in `filter`', () => {
    const flatIn = (schema: GraphQLSchema) =>
      fieldsOf(schema).flatMap(({ field, place }) =>
        field.args.filter(({ name }) => !shared.has(name)).map(({ name }) => `${place}(${name})`),
      )
    expect(flatIn(publicSchema).filter((place) => !choices.has(place))).toEqual([])
    const planted = 'type Query { issues(status: String, filter: ID, first: Int): [ID!]! }'
    expect(flatIn(buildSchema(planted))).toEqual(['Query.issues(status)'])
  })

  test('have lists for closed values in `filter`', () => {
    const single = types
      .filter(isInputObjectType)
      .filter(({ name }) => name.endsWith('Filter'))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => isEnumType(field.type))
          .map((field) => `${type.name}.${field.name}`),
      )
    expect(single).toEqual([])
  })
})

test('fields with a time end in `At`, but for the time of an event', () => {
  const strays = described
    .filter(({ type, isOutput }) => isOutput && getNamedType(type).name === 'DateTime')
    .filter(({ place }) => !/(?:At|\.at)$/.test(place) && place !== 'CrawlersVisited.from')
    .map(({ place }) => place)
  expect(strays).toEqual([])
})

describe('fields that can be null', () => {
  // A field that fails is null, which the docs say once: of these, nothing else makes them null.
  const isNullByErrorAlone = ({ extensions, place }: Described) =>
    extensions?.access !== undefined || place.endsWith('Connection.totalCount')

  test('say when they are null', () => {
    const silent = described
      .filter(({ type, isOutput }) => isOutput && !isNonNullType(type))
      .filter((field) => !isNullByErrorAlone(field))
      .filter(({ description }) => !/\bnull\b/i.test(description ?? ''))
      .map(({ place }) => place)
    expect(silent).toEqual([])
  })
})
