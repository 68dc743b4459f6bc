import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'

/** The fields, arguments and enum values of a schema in SDL, such as `Brand.name` and `Brand.mentions(first)`. */
function graphNames(sdl: string): string[] {
  return Object.values(buildSchema(sdl).getTypeMap()).flatMap((type) => {
    if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`)
    if (isInputObjectType(type))
      return Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap(({ name, args }) => [
      `${type.name}.${name}`,
      ...args.map((arg) => `${type.name}.${name}(${arg.name})`),
    ])
  })
}

/** The keys, parameters and enum values of an OpenAPI document, by where they stand in it. */
function restNames(json: string): string[] {
  const names: string[] = []
  const walk = (node: unknown, path: readonly string[]): void => {
    if (typeof node !== 'object' || node === null) return
    const { enum: values, name } = node as { enum?: unknown; name?: unknown }
    if (Array.isArray(values)) names.push(...values.map((value) => `${path.join('.')} = ${value}`))
    if (typeof name === 'string') names.push(`${path.join('.')}(${name})`)
    for (const [key, value] of Object.entries(node)) {
      const isList = Array.isArray(node)
      const here =
        ['properties', 'schemas', 'components'].includes(key) || isList ? path : [...path, key]
      const parent = path.at(-1)
      if (parent !== undefined && key === 'properties') {
        names.push(...Object.keys(value ?? {}).map((property) => `${path.join('.')}.${property}`))
      }
      walk(value, here)
    }
  }
  const { paths, components } = JSON.parse(json)
  walk(paths, [])
  walk(components, [])
  return names
}

const readers: Readonly<Record<string, (text: string) => string[]>> = {
  'schema/schema.graphql': graphNames,
  'rest/contract/openapi.json': restNames,
}

/**
 * What a generated document of an API has now and had not before, as a sentence; undefined when nothing was added.
 * Nothing refuses an addition, so whoever made it should see how far it reaches.
 */
export function additionsTo(file: string, before: string, after: string): string | undefined {
  const read = readers[file]
  if (read === undefined) return
  const known = new Set(read(before))
  const added = [...new Set(read(after))].filter((name) => !known.has(name))
  if (added.length === 0) return
  const shown = added.slice(0, 20).join(', ')
  const rest = added.length > 20 ? ` and ${added.length - 20} more` : ''
  const isRest = file.startsWith('rest/')
  const remark = isRest ? ' The paths of REST are frozen: check that its clients may see this.' : ''
  return `Added to ${isRest ? 'REST' : 'GraphQL'}: ${shown}${rest}.${remark}\n`
}
