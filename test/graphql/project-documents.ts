import { getNamedType, isCompositeType, isObjectType } from 'graphql'
import { publicSchema } from '../../schema/index.ts'
import { callOf, type ProjectRows } from '../access/calls.ts'
import { allFields } from './selection.ts'

/** A document about one field of a project. */
export interface FieldDocument {
  readonly field: string
  readonly document: string
}

/** One document for each field of `Project`, with all values below it and those of the objects that it leads to. */
export function projectDocuments(rows: ProjectRows): FieldDocument[] {
  const project = publicSchema.getType('Project')
  if (!isObjectType(project)) throw new Error('no project')
  return Object.values(project.getFields()).map((field) => {
    const type = getNamedType(field.type)
    const below = isCompositeType(type) ? ` { ${belowOf(type.name)} }` : ''
    const asked = callOf(field, rows, below)
    return { field: field.name, document: `{ project(id: "${rows.projectId}") { ${asked} } }` }
  })
}

const belowOf = (typeName: string) => {
  const type = publicSchema.getType(typeName)
  if (typeName === 'Workspace') return 'id name'
  if (!isObjectType(type) || !typeName.endsWith('Connection'))
    return allFields(publicSchema, typeName)
  const row = getNamedType(type.getFields().nodes?.type)
  return `totalCount nodes { ${row ? allFields(publicSchema, row.name) : ''} }`
}
