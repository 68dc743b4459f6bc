import {
  type FieldNode,
  type GraphQLUnionType,
  getNamedType,
  isUnionType,
  Kind,
  parse,
  print,
  type SelectionNode,
  visit,
} from 'graphql'
import { publicSchema } from '../../../schema/index.ts'

/** What a test reads of a problem, by the type that has the fields. */
const readOf = {
  Problem: '__typename code message',
  InvalidInput: 'fields { path message }',
  StaleRevision: 'currentRevision',
}

function fragment(type: string, fields: string | readonly SelectionNode[]): string {
  const text = typeof fields === 'string' ? fields : fields.map((node) => print(node)).join(' ')
  return `... on ${type} { ${text} }`
}

/** The union that a mutation answers with. */
function unionOf(field: string): GraphQLUnionType | undefined {
  const type = publicSchema.getMutationType()?.getFields()[field]?.type
  const union = type && getNamedType(type)
  return isUnionType(union) ? union : undefined
}

/** The selections of a mutation as those of its result, beside those of its problems. */
function withFragments(node: FieldNode): FieldNode {
  const members = unionOf(node.name.value)?.getTypes() ?? []
  const isProblem = (member: (typeof members)[number]) =>
    member.getInterfaces().some(({ name }) => name === 'Problem')
  const result = members.find((member) => !isProblem(member))
  const selections = node.selectionSet?.selections ?? []
  if (!result || selections.some(({ kind }) => kind !== Kind.FIELD)) return node
  const named = new Set(['Problem', ...members.map(({ name }) => name)])
  const fragments = [
    fragment(result.name, selections),
    ...Object.entries(readOf)
      .filter(([type]) => named.has(type))
      .map(([type, fields]) => fragment(type, fields)),
  ]
  const [definition] = parse(`{ ${fragments.join(' ')} }`).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) return node
  return { ...node, selectionSet: definition.selectionSet }
}

/**
 * A mutation with the inline fragments that its union needs. A test writes `mutation { addTopic(…) { changed } }`,
 * and reads `changed` or the fields of a problem. A text with fragments of its own is unchanged.
 */
export function withProblemFragments(text: string): string {
  if (!text.includes('mutation')) return text
  try {
    return print(visit(parse(text), { [Kind.FIELD]: withFragments }))
  } catch {
    // The API says what is wrong with a text that no parser takes.
    return text
  }
}
