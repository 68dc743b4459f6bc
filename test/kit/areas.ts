import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What creates workspaces, keys and projects from the command line, and has no schema. */
const withoutSchema = new Set(['setup'])

/** What GraphQL alone serves: the shape of a project, which the contract of REST does not know. */
const withoutRoutes = new Set(['shaping'])

function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.ts'))
}

/** The areas of a repository: one for each stem in `resolvers/`. `sources-walk.ts` belongs to `sources`. */
export function areasOf(root: string): string[] {
  const stems = new Set(
    namesIn(join(root, 'resolvers')).map((name) => name.replace(/(\.sql)?\.ts$/, '')),
  )
  const isPart = (stem: string) => [...stems].some((other) => stem.startsWith(`${other}-`))
  return [...stems].filter((stem) => !isPart(stem) && !withoutSchema.has(stem)).sort()
}

/** Does a route lead to a field that the area's schema declares? */
function hasRoute(root: string, area: string): boolean {
  const routes = readFileSync(join(root, 'rest/routes.ts'), 'utf8')
  const fields = [...routes.matchAll(/\bfield: '(\w+)'/g)].map(([, field]) => field)
  const declared = namesIn(join(root, 'schema'))
    .filter((name) => name === `${area}.ts` || name.startsWith(`${area}-`))
    .map((name) => readFileSync(join(root, 'schema', name), 'utf8'))
    .join('\n')
  return fields.some((field) => declared.includes(`'${field}'`))
}

/** What the areas of a repository lack: a stem is one word in every layer. */
export function lackingParts(root: string): string[] {
  return areasOf(root).flatMap((area) => {
    const files = [`schema/${area}.ts`, `resolvers/${area}.ts`, `test/${area}.test.ts`]
    const lacking = files.filter((path) => !existsSync(join(root, path)))
    return withoutRoutes.has(area) || hasRoute(root, area)
      ? lacking
      : [...lacking, `rest/routes.ts: no route of ${area}`]
  })
}
