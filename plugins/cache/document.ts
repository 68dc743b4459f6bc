import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getNamedType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { rootFieldsOf } from '../root-fields.ts'

/** Whether a field leads to a type, by its name. */
export type AcceptsType = (typeName: string) => boolean

/** Whether all fields of a document have accepted types. */
function hasTypes(schema: GraphQLSchema, document: DocumentNode, accepts: AcceptsType): boolean {
  const info = new TypeInfo(schema)
  let isAccepted = true
  const field = () => {
    const types = [info.getParentType(), info.getType()]
    const names = types.flatMap((type) => (type ? [getNamedType(type).name] : []))
    isAccepted &&= names.every(accepts)
  }
  visit(document, visitWithTypeInfo(info, { Field: field }))
  return isAccepted
}

/** Finds the projects of a document, where all that it reads is theirs. */
export function projectsOfDocuments(accepts: AcceptsType) {
  const known = new WeakMap<DocumentNode, boolean>()
  /** @returns the ids, each once; undefined for a document that may read anything else */
  return (args: ExecutionArgs): string[] | undefined => {
    const { schema, document } = args
    const isAccepted = known.get(document) ?? hasTypes(schema, document, accepts)
    known.set(document, isAccepted)
    const fields = isAccepted ? rootFieldsOf(args, ['query']) : []
    if (fields.length === 0 || fields.some(({ field }) => field.name !== 'project'))
      return undefined
    return [...new Set(fields.map(({ args: { id } }) => String(id)))]
  }
}
