import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { z } from 'zod'
import { searchedWords } from '../words.ts'
import { tool } from './tool.ts'

/** Characters of an answer: about 1,700 tokens. */
const mostText = 6000

const argumentsOf = (args: readonly GraphQLArgument[]) =>
  args.map(({ name, type }) => `${name}:${type}`).join(' ')

/** A type in short notation: its fields with their arguments, on one line each. */
function shortOf(type: GraphQLNamedType): string | undefined {
  if (isEnumType(type)) {
    return `E ${type.name} ${type
      .getValues()
      .map(({ name }) => name)
      .join('|')}`
  }
  if (isUnionType(type)) {
    return `U ${type.name} ${type
      .getTypes()
      .map(({ name }) => name)
      .join('|')}`
  }
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return undefined
  const fields = Object.values(type.getFields()).map((field) => {
    const args = argumentsOf('args' in field ? field.args : [])
    return `${field.name}${args && `(${args})`}:${field.type}`
  })
  return `${isInputObjectType(type) ? 'I' : 'T'} ${type.name}\n ${fields.join('\n ')}`
}

/** How well a type answers to a word: by its name, the names of its fields, and what is said of them. */
function scoreOf(type: GraphQLNamedType, word: string): number {
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(word) ?? false
  const isNamed = type.name.toLowerCase() === word ? 20 : has(type.name) ? 8 : 0
  const fields = 'getFields' in type ? Object.values(type.getFields()) : []
  const named = fields.filter(({ name }) => has(name)).length
  const described = fields.filter(({ description }) => has(description)).length
  return isNamed + Math.min(named, 3) * 3 + Math.min(described, 3) + (has(type.description) ? 2 : 0)
}

/** The fields of the root and of a project that a word finds: where a question starts. */
function entriesOf(schema: GraphQLSchema, words: readonly string[]): string[] {
  return ['Query', 'Project'].flatMap((name) => {
    const type = schema.getType(name)
    if (!isObjectType(type)) return []
    return Object.values(type.getFields())
      .filter(({ name: field, description }) =>
        words.some((word) => `${field} ${description}`.toLowerCase().includes(word)),
      )
      .map(
        ({ name: field, args, type: of, description }) =>
          `${name}.${field}(${argumentsOf(args)}):${of} # ${description ?? ''}`,
      )
  })
}

/** Types that are parts of every list, or that a key reads no data by. */
const isPlain = ({ name }: GraphQLNamedType) =>
  name.startsWith('__') || /(?:Connection|Edge|Mutation|Subscription)$/.test(name)

/** Types that are searched by their fields, or that no query starts from. */
const starts = ['Query', 'Project', 'Mutation', 'Subscription']

export const searchSchema = tool({
  name: 'search_schema',
  title: "Search the graph's schema",
  description:
    'Types and fields of the GraphQL schema that match the words, in short notation (T=type I=input E=enum U=union; ! required). For what get_report cannot answer: then query_graph. A list `XConnection` has `nodes`, `totalCount` and `pageInfo`.',
  input: z.strictObject({
    terms: z.array(z.string().min(2).max(60)).min(1).max(5),
  }),
  async run({ terms }, { schema }) {
    const words = searchedWords(terms.join(' ')).map((word) => word.toLowerCase())
    const found = Object.values(schema.getTypeMap())
      .filter((type) => !isPlain(type) && !starts.includes(type.name))
      .map((type) => ({
        type,
        score: words.reduce((sum, word) => sum + scoreOf(type, word), 0),
      }))
      .filter(({ score }) => score > 2)
      .sort((a, b) => b.score - a.score || a.type.name.localeCompare(b.type.name))
    let left = mostText
    const parts = [
      ...entriesOf(schema, words).slice(0, 15),
      ...found.flatMap(({ type }) => shortOf(type) ?? []),
    ].filter((part) => {
      left -= part.length + 1
      return left >= 0
    })
    return { schema: parts.join('\n'), found: found.length }
  },
})
