import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The layers in which an area has its name. */
const layers = ['schema', 'resolvers', 'test']

/** Folders of `resolvers/` that serve all areas. */
const noAreas = new Set(['shared'])

/** Areas without a path of their own in the REST contract: only GraphQL serves them, or the project's fields do. */
const withoutRoutes = new Set([
  'agreement',
  'alarms',
  'brands',
  'channels',
  'collecting',
  'connections',
  'domain-authority',
  'keys',
  'live',
  'locations',
  'members',
  'planned-changes',
  'proof',
  'topics',
  'workspaces',
])

const stemOf = (name: string) => name.replace(/([.]sql|[.]test)?[.]ts$/, '')

/** Is the file or folder a part of the area: `sources`, `sources.ts`, `sources.test.ts`? */
const isOf = (area: string) => (name: string) => stemOf(name) === area

/** The areas of a repository: one for each folder or file in `resolvers/`. */
export function areasOf(root: string): string[] {
  const stems = new Set(readdirSync(join(root, 'resolvers')).map(stemOf))
  return [...stems].filter((stem) => !noAreas.has(stem)).sort()
}

/** The files of an area in one layer, with those in its folder. */
function filesOf(root: string, layer: string, area: string): string[] {
  const folder = join(root, layer)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isOf(area))
    .map((name) => join(folder, name))
    .flatMap((path) =>
      statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : path,
    )
    .filter((path) => (layer === 'test' ? path.endsWith('.test.ts') : path.endsWith('.ts')))
}

/** Does a route lead to a field that the area's schema declares? */
function hasRoute(root: string, area: string): boolean {
  const routes = readFileSync(join(root, 'rest/routes.ts'), 'utf8')
  const fields = [...routes.matchAll(/\bfield: '(\w+)'/g)].map(([, field]) => field)
  const declared = filesOf(root, 'schema', area)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  return fields.some((field) => declared.includes(`'${field}'`))
}

/** The parts that areas lack: `{schema,resolvers,test}/<area>*` finds an area in every layer. */
export function lackingParts(root: string): string[] {
  return areasOf(root).flatMap((area) => {
    const lacking = layers
      .filter((layer) => filesOf(root, layer, area).length === 0)
      .map((layer) => `${layer}/${area}*`)
    return withoutRoutes.has(area) || hasRoute(root, area)
      ? lacking
      : [
          ...lacking,
          `${area} has no path in REST, whose paths are frozen: add it to \`withoutRoutes\` of test/gates/areas.ts`,
        ]
  })
}
