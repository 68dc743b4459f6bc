import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditsPage } from './codegen/audits.ts'
import { printWithCosts } from './codegen/costs.ts'
import { errorsPage } from './codegen/errors.ts'
import { landedMigrations, recordFile } from './codegen/migrations.ts'
import { opportunitiesPage } from './codegen/opportunities.ts'
import { graphOpenApiOf } from './rest/graph/openapi.ts'
import { bare, breakingChanges, type DeclaredChange } from './rest/openapi/compat.ts'
import { type Examples, openApiOf } from './rest/openapi/openapi.ts'
import { bareSchema, schemaBreaks } from './schema/contract/compat.ts'
import { publicSchema, restSchema, scriptSchema } from './schema/index.ts'

const root = import.meta.dirname
const jsonText = (json: unknown) => `${JSON.stringify(json, null, 2)}\n`

/** The text of a file, undefined when the file does not exist. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

const examplesFile = join(root, 'rest/contract/examples.json')
const examples: Examples = JSON.parse((await textOf(examplesFile)) ?? '{}')
const document = openApiOf(restSchema, examples)
const schema = `${printWithCosts(publicSchema)}\n`

/** The generated files that are committed, by path. Both baselines follow unless a change breaks clients. */
const committed: Readonly<Record<string, string>> = {
  'schema/schema.graphql': schema,
  'docs/errors.md': errorsPage(),
  'docs/audits.md': auditsPage(),
  'docs/opportunities.md': opportunitiesPage(),
  'rest/contract/openapi.json': jsonText(document),
  'rest/contract/openapi-graph.json': jsonText(graphOpenApiOf(scriptSchema)),
}

/** What clients of one interface rely on: `baseline` holds its last accepted state, `changes` the declared breaks. */
const contracts = [
  {
    clients: 'REST clients',
    baseline: 'rest/contract/baseline.json',
    changes: 'rest/contract/changes.json',
    text: jsonText(bare(document)),
    breaks: (before: string) => breakingChanges(JSON.parse(before), document),
  },
  {
    clients: 'GraphQL clients',
    baseline: 'schema/contract/baseline.graphql',
    changes: 'schema/contract/changes.json',
    text: bareSchema(schema),
    breaks: (before: string) => schemaBreaks(before, schema),
  },
]

/** Breaking changes since the baseline in a folder, except those that are declared there with a reason. */
async function undeclaredBreaks(
  folder: string,
  { baseline, changes, breaks }: (typeof contracts)[number],
) {
  const before = await textOf(join(folder, baseline))
  if (before === undefined) return []
  const declared: DeclaredChange[] = JSON.parse((await textOf(join(folder, changes))) ?? '[]')
  const known = new Set(declared.flatMap(({ change, why }) => (why.trim() ? [change] : [])))
  return breaks(before).filter((change) => !known.has(change))
}

/**
 * Writes the files that are generated from code. With `check` it writes nothing, and a file that is out of date is a
 * fault. A change that breaks clients and is not declared is always a fault, and so is a change of a landed migration.
 * @returns the faults, each a paragraph for people
 */
export async function generate(folder: string, options: { check: boolean }): Promise<string[]> {
  const faults: string[] = []
  const files: Record<string, string> = { ...committed }
  for (const contract of contracts) {
    const found = await undeclaredBreaks(folder, contract)
    // The baseline never takes over a change that was not declared.
    if (found.length === 0) files[contract.baseline] = contract.text
    else {
      const lines = found.map((change) => `  ${change}\n`).join('')
      faults.push(
        `Changes that break ${contract.clients}:\n${lines}Undo each, or declare it with a reason in ${contract.changes}.\n`,
      )
    }
  }
  const landed = await landedMigrations(root, await textOf(join(folder, recordFile)))
  // Nor does the record take over a change of what landed.
  if (landed.faults.length === 0) files[recordFile] = landed.record
  else faults.push(`Migrations:\n${landed.faults.map((fault) => `  ${fault}\n`).join('')}`)
  const stale: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    if ((await textOf(path)) === text) continue
    stale.push(name)
    if (options.check) continue
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  if (stale.length > 0 && options.check) {
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
  const faults = await generate(values.into, values)
  process.stderr.write(faults.join(''))
  if (faults.length > 0) process.exitCode = 1
}
