import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../../package.ts'

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  description: z.string().default(''),
  required: z.boolean().default(false),
  schema: z.object({ type: z.union([z.string(), z.array(z.string())]).optional() }),
})

const reference = z.object({ $ref: z.string() })

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z
        .object({
          operationId: z.string(),
          summary: z.string(),
          tags: z.array(z.string()),
          parameters: z.array(z.union([reference, parameterSchema])).default([]),
        })
        .optional(),
    }),
  ),
  components: z.object({ parameters: z.record(z.string(), parameterSchema) }),
})

/** The filter of answers that REST does not have, and the command line gives its reports. */
const obtained: ReportParameter = {
  name: 'obtained',
  description: 'Only answers obtained in these ways: surface, api, imported.',
  isRequired: false,
  isList: true,
}

export interface ReportParameter {
  readonly name: string
  readonly description: string
  readonly isRequired: boolean
  readonly isList: boolean
}

/** A report of a project that REST gives, as a command. */
export interface ReportDefinition {
  readonly operationId: string
  /** Such as `source-domains`. */
  readonly name: string
  readonly summary: string
  /** What it is about, such as `Sources`. */
  readonly area: string
  /** Beside the project. */
  readonly path: readonly ReportParameter[]
  readonly query: readonly ReportParameter[]
}

const kebab = (text: string) => text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The name of a command: `getVisibility` and `listIssues` are `visibility` and `issues`. */
const nameOf = (operationId: string) =>
  kebab(operationId.replace(/^(get|list)(?=[A-Z])/, '')).replace(/^-/, '')

/** The option of a parameter: `topicId` is `--topic-id`. */
export const optionOf = (name: string) => `--${kebab(name)}`

/** The reports of the published document of REST: all that reads one project. */
export function readReports(): ReportDefinition[] {
  const file = join(packageRoot, 'rest', 'contract', 'openapi.json')
  const { paths, components } = documentSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Object.entries(paths).flatMap(([address, { get }]) => {
    if (!get || !address.includes('{projectId}')) return []
    const parameters = get.parameters.map((given) => {
      if (!('$ref' in given)) return given
      const known = components.parameters[given.$ref.split('/').at(-1) ?? '']
      if (!known) throw new Error(`${get.operationId}: ${given.$ref} does not exist`)
      return known
    })
    const of = (place: 'path' | 'query'): ReportParameter[] =>
      parameters
        .filter((each) => each.in === place && !['projectId', 'format'].includes(each.name))
        .map(({ name, description, required, schema }) => ({
          name,
          description,
          isRequired: required,
          isList: schema.type === 'array',
        }))
    const query = of('query')
    const isOfAnswers =
      get.operationId === 'getTopicHeatmap' || query.some(({ name }) => name === 'platform')
    return {
      operationId: get.operationId,
      name: nameOf(get.operationId),
      summary: get.summary,
      area: get.tags[0] ?? '',
      path: of('path'),
      query: isOfAnswers ? [...query, obtained] : query,
    }
  })
}
