import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { additionsTo } from './codegen/additions.ts'
import { auditsPage } from './codegen/audits.ts'
import { cacheRules } from './codegen/cache.ts'
import { printWithCosts } from './codegen/costs.ts'
import { errorsPage } from './codegen/errors.ts'
import { eventsPage } from './codegen/events.ts'
import { landedMigrations, recordFile } from './codegen/migrations.ts'
import { opportunitiesPage } from './codegen/opportunities.ts'
import { lastRelease, type Release } from './codegen/release.ts'
import { graphOpenApiOf } from './rest/graph/openapi.ts'
import { breakingChanges, type DeclaredChange } from './rest/openapi/compat.ts'
import { type Examples, openApiOf } from './rest/openapi/openapi.ts'
import { schemaBreaks } from './schema/contract/compat.ts'
import { publicSchema, restSchema, scriptSchema } from './schema/index.ts'

const root = import.meta.dirname
const jsonText = (json: unknown) => `${JSON.stringify(json, null, 2)}\n`

/** The text of a file, undefined when the file does not exist. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

const examplesFile = join(root, 'rest/contract/examples.json')
const examples: Examples = JSON.parse((await textOf(examplesFile)) ?? '{}')
const document = openApiOf(restSchema, examples)
const schema = `${printWithCosts(publicSchema)}\n`

/** The generated files that are committed, by path. */
const committed: Readonly<Record<string, string>> = {
  'schema/schema.graphql': schema,
  'schema/cache.json': jsonText(cacheRules(publicSchema)),
  'docs/errors.md': errorsPage(),
  'docs/events.md': eventsPage(),
  'docs/audits.md': auditsPage(),
  'docs/opportunities.md': opportunitiesPage(),
  'rest/contract/openapi.json': jsonText(document),
  'rest/contract/openapi-graph.json': jsonText(graphOpenApiOf(scriptSchema)),
}

/** What clients of one interface rely on: its document in the last release, and the breaks declared since. */
const contracts = [
  {
    clients: 'REST clients',
    document: 'rest/contract/openapi.json',
    changes: 'rest/contract/changes.json',
    breaks: (before: string) => breakingChanges(JSON.parse(before), document),
  },
  {
    clients: 'GraphQL clients',
    document: 'schema/schema.graphql',
    changes: 'schema/contract/changes.json',
    breaks: (before: string) => schemaBreaks(before, schema),
  },
]

/** Breaking changes since the release, except those that are declared in the folder with a reason. */
async function undeclaredBreaks(
  folder: string,
  release: Release,
  { document: path, changes, breaks }: (typeof contracts)[number],
) {
  const before = release.textOf(path)
  if (before === undefined) return []
  const declared: DeclaredChange[] = JSON.parse((await textOf(join(folder, changes))) ?? '[]')
  const known = declared.flatMap(({ change, why }) => (why.trim() ? [patternOf(change)] : []))
  return breaks(before).filter((change) => !known.some((pattern) => pattern.test(change)))
}

/** Matches the lines that a declaration names. */
function patternOf(declared: string): RegExp {
  const parts = declared
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`)
}

/**
 * Writes the files that are generated from code. With `check` it writes nothing, and a file that is out of date is a
 * fault. A change that breaks clients and is not declared is always a fault, and so is a change of a landed migration.
 * @returns the faults, each a paragraph for people
 */
export async function generate(
  folder: string,
  options: { check: boolean; release?: Release | undefined },
): Promise<string[]> {
  const faults: string[] = []
  const files: Record<string, string> = { ...committed }
  const { check, release } = options
  for (const contract of contracts) {
    const found = release ? await undeclaredBreaks(folder, release, contract) : []
    if (found.length === 0) continue
    const lines = found.map((change) => `  ${change}\n`).join('')
    faults.push(
      `Changes that break ${contract.clients} of ${release?.name}:\n${lines}Undo each, or declare it with a reason in ${contract.changes}.\n`,
    )
  }
  const landed = await landedMigrations(root, await textOf(join(folder, recordFile)))
  // Nor does the record take over a change of what landed.
  if (landed.faults.length === 0) files[recordFile] = landed.record
  else faults.push(`Migrations:\n${landed.faults.map((fault) => `  ${fault}\n`).join('')}`)
  const stale: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    const before = await textOf(path)
    if (before === text) continue
    stale.push(name)
    if (check) continue
    if (before !== undefined) process.stderr.write(additionsTo(name, before, text) ?? '')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  if (stale.length > 0 && check) {
    faults.push(`Out of date: ${stale.join(', ')}. Run: npm run codegen\n`)
  }
  return faults
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      into: { type: 'string', default: root },
    },
  })
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const release = lastRelease(root, version)
  const unknown = 'Without a history of git, the APIs are compared with no release.\n'
  process.stderr.write(release ? (release.notice ?? '') : unknown)
  const faults = await generate(values.into, { check: values.check, release })
  process.stderr.write(faults.join(''))
  if (faults.length > 0) process.exitCode = 1
}
