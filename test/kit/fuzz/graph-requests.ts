import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { publicSchema } from '../../../schema/index.ts'
import type { Random } from './random.ts'
import { headersOf } from './rest-requests.ts'
import type { Sent } from './send.ts'
import type { Stage } from './stage.ts'
import { encoded, hostile, hostileNumber, hostileText, jsonOf } from './values.ts'

type Field = GraphQLField<unknown, unknown>
type Arguments = Readonly<Record<string, unknown>>

/** A document that grows, with its variables. */
interface Writing {
  readonly random: Random
  readonly stage: Stage
  /** `$v0: Int`, in the order of the variables. */
  readonly declared: string[]
  readonly variables: Record<string, unknown>
}

const fieldsOf = (type: GraphQLNamedType | null | undefined): Field[] =>
  isObjectType(type) ? Object.values(type.getFields()) : []

const texts = ['acme.com', 'Acme', 'What is good?', 'DE', 'chatgpt', 'https://acme.com/guide']

function scalarValue({ random, stage }: Writing, { name }: GraphQLNamedType, arg: string): unknown {
  if (/Int|Float/.test(name)) return random.pick([1, 5, 50])
  if (name === 'Boolean') return random.chance(0.5)
  if (name === 'ID') return stage.own[arg] ?? random.pick(Object.values(stage.own))
  if (/Date/.test(name) || arg === 'from' || arg === 'to')
    return random.pick(['2025-05-01', '2025-05-10', '2025-05-31'])
  return stage.own[arg] ?? random.pick(texts)
}

/** A value that the type takes; with `harm`, leaves that mean harm. */
function valueFor(writing: Writing, type: GraphQLInputType, name: string, harm: number): unknown {
  const { random, stage } = writing
  if (random.chance(harm / 4)) return hostile(random, stage)
  if (isNonNullType(type)) return valueFor(writing, type.ofType, name, harm)
  if (isListType(type)) {
    const inner = () => valueFor(writing, type.ofType, name.replace(/s$/, ''), harm)
    return random.chance(0.05) ? random.some(60, inner) : [inner()]
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    const given = fields.filter((field) => isNonNullType(field.type) || random.chance(0.3))
    return Object.fromEntries(
      given.map((field) => [field.name, valueFor(writing, field.type, field.name, harm)]),
    )
  }
  if (isEnumType(type))
    return random.chance(harm) ? hostileText(random) : random.pick(type.getValues()).name
  if (!random.chance(harm)) return scalarValue(writing, type, name)
  return /Int|Float/.test(type.name) ? hostileNumber(random) : hostileText(random)
}

/** The value as GraphQL writes it, where its text is no name of an enum. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).map(([name, inner]) => `${name}: ${literalOf(inner)}`)
  return `{${entries.join(', ')}}`
}

function argumentText(writing: Writing, { name, type }: GraphQLArgument, given: unknown): string {
  const { random, declared, variables } = writing
  const harm = random.pick([0, 0, 0.3, 1])
  const value = given !== undefined && harm < 1 ? given : valueFor(writing, type, name, harm)
  if (random.chance(0.1)) return `${name}: ${literalOf(value)}`
  const variable = random.chance(0.005) ? '__proto__' : `v${declared.length}`
  declared.push(
    `$${variable}: ${random.chance(0.99) ? type : random.pick(['String', 'Int!', '[ID]', 'Nothing'])}`,
  )
  if (!random.chance(0.01)) variables[variable] = value
  return `${name}: $${variable}`
}

function argumentsText(writing: Writing, field: Field, given: Arguments): string {
  const { random } = writing
  const texts = field.args
    .filter(
      (arg) =>
        given[arg.name] !== undefined || random.chance(isNonNullType(arg.type) ? 0.99 : 0.35),
    )
    .map((arg) => argumentText(writing, arg, given[arg.name]))
  if (random.chance(0.01)) texts.push('nothing: 1')
  return texts.length > 0 ? `(${texts.join(', ')})` : ''
}

function selectionOf(writing: Writing, type: GraphQLNamedType, depth: number): string {
  const { random } = writing
  if (isLeafType(type)) return ''
  if (isAbstractType(type)) {
    const members = publicSchema
      .getPossibleTypes(type)
      .map((member) => `... on ${member.name} ${selectionOf(writing, member, depth)}`)
    const problem = publicSchema
      .getPossibleTypes(type)
      .some((member) => member.getInterfaces().some(({ name }) => name === 'Problem'))
    return `{ __typename ${members.map((text) => text).join(' ')}${problem ? ' ... on Problem { code }' : ''} }`
  }
  const fields = fieldsOf(type)
  const leaves = fields.filter(
    (field) => isLeafType(getNamedType(field.type)) && field.args.length === 0,
  )
  const others = fields.filter((field) => !leaves.includes(field))
  const chosen = leaves.filter(() => random.chance(0.4)).slice(0, 6)
  const texts = chosen.map(({ name }) => name)
  if (depth > 0 && others.length > 0) {
    for (const field of new Set(random.some(2, () => random.pick(others))))
      texts.push(fieldText(writing, field, depth - 1))
  }
  return `{ ${['__typename', ...texts].join(' ')} }`
}

function fieldText(writing: Writing, field: Field, depth: number, given: Arguments = {}): string {
  const args = argumentsText(writing, field, given)
  const alias = writing.random.chance(0.01)
    ? `${writing.random.pick(['__proto__', 'constructor', 'a', 'then'])}: `
    : ''
  const directive = writing.random.chance(0.01) ? ' @include(if: true)' : ''
  return `${alias}${field.name}${args}${directive} ${selectionOf(writing, getNamedType(field.type), depth)}`
}

const root = {
  query: fieldsOf(publicSchema.getQueryType()).filter(({ name }) => name !== 'node'),
  mutation: fieldsOf(publicSchema.getMutationType()),
  project: fieldsOf(publicSchema.getType('Project')),
  workspace: fieldsOf(publicSchema.getType('Workspace')),
}

/** Every field that the fuzz calls: their number is part of its report. */
export const rootFields = Object.values(root).flat().length

function operationOf(writing: Writing): string {
  const { random, stage } = writing
  const place = random.below(20)
  const idOf = (name: string) =>
    JSON.stringify(
      random.chance(0.95)
        ? stage.own[name]
        : random.chance(0.5)
          ? stage.foreign[name]
          : hostileText(random),
    )
  if (place < 7) {
    const field = random.pick(root.mutation)
    return fieldText(writing, field, 1, stage.argumentsOf(field.name))
  }
  if (place < 10) return fieldText(writing, random.pick(root.query), 2)
  if (place < 12)
    return `workspace(id: ${idOf('workspaceId')}) { ${fieldText(writing, random.pick(root.workspace), 1)} }`
  const fields = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () =>
    random.pick(root.project),
  )
  return `project(id: ${idOf('projectId')}) { ${[...new Set(fields)].map((field) => fieldText(writing, field, 2)).join(' ')} }`
}

/** Documents that are none, or too much. */
const malformed: readonly ((random: Random) => string)[] = [
  () => '',
  () => '{',
  () => '{ projects { nodes { id } }',
  () => 'query ($a: Int, $a: Int) { projects(first: $a) { totalCount } }',
  () => 'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }',
  () => 'subscription { projectUpdated(projectId: "x") { __typename } }',
  () => '{ __schema { types { fields { type { fields { type { name } } } } } } }',
  () => 'query A { __typename } query B { __typename }',
  () => '{ __typename @include(if: "x") @skip }',
  () => '{ project(id: {a: [1, {b: $c}]}) { id } }',
  () => 'extend type Query { a: Int } { a }',
  () => '{ projects(first: 99999999999999999999999) { nodes { id } } }',
  () => '{ project(id: """\n  x\n""") { id } }',
  () => '\ufeff{ __typename }',
  () => '# only a comment',
  () => `{ ${Array.from({ length: 40 }, (_, at) => `a${at}: __typename`).join(' ')} }`,
  () => `{ ${'__typename '.repeat(2500)} }`,
  () => `{ a ${'{ a '.repeat(3000)} ${'}'.repeat(3000)} }`,
  () => `{ a(b: ${'['.repeat(900)}1${']'.repeat(900)}) }`,
  () => `{ __typename ${'@include(if: true) '.repeat(20)} }`,
  () => `query ${'x'.repeat(20_000)} { __typename }`,
  () => `{ ${'x'.repeat(20_000)} }`,
  (random) => `{ ${hostileText(random)} }`,
  (random) => hostileText(random),
]

/** One request to `/graphql`. */
export function graphRequest(random: Random, stage: Stage): Sent {
  const writing: Writing = { random, stage, declared: [], variables: {} }
  let text = ''
  let isMutation = false
  if (random.chance(0.06)) text = random.pick(malformed)(random)
  else {
    const operation = operationOf(writing)
    isMutation = root.mutation.some(({ name }) => operation.startsWith(name))
    const heading = writing.declared.length > 0 ? `(${writing.declared.join(', ')})` : ''
    text = `${isMutation ? 'mutation' : 'query'} A${heading} { ${operation} }`
    if (random.chance(0.02)) text = text.slice(0, random.below(text.length))
  }
  const headers = headersOf(random, stage, true)
  const { variables } = writing
  if (!isMutation && random.chance(0.03)) {
    const path = `/graphql?query=${encoded(text)}&variables=${encoded(jsonOf(variables))}`.slice(
      0,
      12_000,
    )
    return { door: 'GraphQL', method: random.chance(0.95) ? 'GET' : 'PUT', path, headers }
  }
  const odd = {
    operationName: hostile(random, stage),
    extensions: hostile(random, stage),
    documentId: hostileText(random),
    variables: hostile(random, stage),
    query: hostile(random, stage),
    other: 1,
  }
  const oddities = random.chance(0.05) ? [random.pick(Object.entries(odd))] : []
  const params = { query: text, variables, ...Object.fromEntries(oddities) }
  const body = random.chance(0.01)
    ? jsonOf(random.chance(0.5) ? [params, params] : hostile(random, stage))
    : jsonOf(params)
  return {
    door: 'GraphQL',
    method: 'POST',
    path: '/graphql',
    headers,
    body: random.chance(0.01) ? body.slice(0, random.below(body.length + 1)) : body,
  }
}
