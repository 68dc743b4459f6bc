import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import { CliError } from '../../errors.ts'
import { packageRoot } from '../../package.ts'
import type { ReportDefinition, ReportParameter } from './definitions.ts'
import { type Chooser, type Shape, shapeOf } from './shape.ts'

/** The lists of `Project` that REST does not have, and what they are about. Other commands show `imports` and `brandAliases`. */
const fields = {
  visibilityDefinitions: 'Visibility',
  brands: 'Competition',
  promptResults: 'Prompts',
  domainsToWin: 'Sources',
  urlsToWin: 'Sources',
  promptsWithoutAnswers: 'Prompts',
  retrievedUrls: 'Sources',
  brandMatches: 'Projects',
  suggestedCompetitors: 'Competition',
  checks: 'Site',
  auditTrail: 'Projects',
  modelChanges: 'Answers',
  agreement: 'Collecting',
} as const

/** A report that is a field of `Project` in the graph. */
export interface GraphReport extends ReportDefinition {
  readonly document: string
  readonly shape: Shape
  /** @param values texts by the names of the options @throws {CliError} `usage` for a value of another type */
  variables(values: Readonly<Record<string, readonly string[]>>): Record<string, unknown>
}

const kebab = (text: string) => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** REST names the filters in the singular: `topicIds` is `topicId` there. */
const singular = (name: string) => name.replace('countries', 'country').replace(/s$/, '')

/** What names an object where a row refers to it, the best first. */
const labels = ['name', 'text', 'displayName', 'title', 'domain', 'url', 'city']

/** Rows have their values, the names of what they refer to, and no lists of their own. */
const ofRows: Chooser = ({ name, type, args }, depth, parent) => {
  const named = getNamedType(type)
  if (
    args.some(({ defaultValue, type: of }) => defaultValue === undefined && `${of}`.endsWith('!'))
  )
    return false
  if (['nodeId', 'pageInfo', 'edges'].includes(name)) return false
  const below = parent.getFields()
  // From the second level on, an object is one that a row refers to.
  if (depth > 1 && ('id' in below || 'nodeId' in below))
    return name === labels.find((label) => label in below)
  const isComposite = 'getFields' in named
  if (depth > 0 && isComposite && isListType(getNullableType(type))) return false
  if (depth > 0 && named.name.endsWith('Connection')) return false
  return depth < 3
}

interface Input {
  readonly option: string
  /** The argument, and the field within it where that is an object. */
  readonly path: readonly [argument: string, field?: string]
  readonly about: GraphQLArgument | GraphQLInputField
}

function inputsOf(field: GraphQLField<unknown, unknown>): Input[] {
  return field.args.flatMap((argument): Input[] => {
    const { name } = argument
    const type = getNamedType(argument.type)
    if (!isInputObjectType(type)) return [{ option: name, path: [name], about: argument }]
    return Object.values(type.getFields()).map((about) => ({
      option: isListType(about.type) ? singular(about.name) : about.name,
      path: [name, about.name],
      about,
    }))
  })
}

function argumentOf({ option, about }: Input, texts: readonly string[]): unknown {
  if (isListType(about.type)) return texts
  const [text = ''] = texts
  const { name } = getNamedType(about.type)
  const wrong = (rule: string) =>
    new CliError('usage', `\`--${kebab(option)}\` must be ${rule}; got \`${text}\`.`, {
      exitCode: 2,
    })
  if (name === 'Int' || name === 'SafeInt') {
    if (!/^\d{1,15}$/.test(text)) throw wrong('a whole number')
    return Number(text)
  }
  if (name !== 'Boolean') return text
  if (text !== 'true' && text !== 'false') throw wrong('`true` or `false`')
  return text === 'true'
}

const selection = (shape: Shape): string =>
  shape
    .map(({ name, fields: below }) =>
      below.length === 0 ? name : `${name} { ${selection(below)} }`,
    )
    .join(' ')

/** The one sentence that describes a field, without its full stop. */
const sentenceOf = (text: string | null | undefined) =>
  (text ?? '').replace(/\s+/g, ' ').replace(/\.( .*)?$/, '')

function reportOf(field: GraphQLField<unknown, unknown>, area: string): GraphReport {
  const inputs = inputsOf(field)
  const type = getNamedType(field.type)
  const isPlain = isListType(getNullableType(field.type))
  const selected = shapeOf(type, ofRows, isPlain ? 1 : 0)
  const declared = field.args.map(({ name, type }) => `, $${name}: ${type}`).join('')
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  return {
    operationId: field.name,
    name: kebab(field.name),
    summary: sentenceOf(field.description),
    area,
    path: [],
    query: inputs.map(
      ({ option, about }): ReportParameter => ({
        name: option,
        description: `${sentenceOf(about.description)}.`,
        isRequired: false,
        isList: isListType(about.type),
      }),
    ),
    shape: isPlain ? [{ name: 'rows', kind: 'list', fields: selected }] : selected,
    document: `query ($project: ID!${declared}) {
      project(id: $project) { report: ${field.name}(${given}) { ${selection(selected)} } } }`,
    variables(values) {
      const variables: Record<string, Record<string, unknown> | unknown> = {}
      for (const input of inputs) {
        const texts = values[input.option]
        if (!texts) continue
        const [argument, name] = input.path
        const value = argumentOf(input, texts)
        if (name === undefined) variables[argument] = value
        else variables[argument] = { ...(variables[argument] as object), [name]: value }
      }
      return variables
    },
  }
}

/** The lists of a project that only the graph has. */
export function graphReports(): GraphReport[] {
  const file = join(packageRoot, 'schema', 'schema.graphql')
  const project = buildSchema(readFileSync(file, 'utf8')).getType('Project')
  if (!isObjectType(project)) throw new Error('The schema has no type Project.')
  const all = project.getFields()
  return Object.entries(fields).flatMap(([name, area]) =>
    all[name] ? [reportOf(all[name], area)] : [],
  )
}
