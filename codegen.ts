import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSchema } from 'graphql'
import { auditsPage } from './codegen-audits.ts'
import { graphDocuments, restTypes } from './codegen-examples.ts'
import { catalog, type ErrorCode } from './core/errors.ts'
import { graphOpenApiOf } from './rest/graph/openapi.ts'
import { bare, breakingChanges, type DeclaredChange } from './rest/openapi/compat.ts'
import { type Examples, openApiOf } from './rest/openapi/openapi.ts'
import { bareSchema, schemaBreaks } from './schema/contract/compat.ts'
import { publicSchema, restSchema } from './schema/index.ts'

/**
 * Writes the files that are generated from code. `--check` writes nothing and fails when a file is out of date.
 * Both fail on a change that breaks clients and is not declared. `--into FOLDER` writes to another folder.
 */

function errorsPage(): string {
  const entries = Object.entries(catalog) as [ErrorCode, (typeof catalog)[ErrorCode]][]
  const table = entries.map(
    ([code, entry]) => `| [\`${code}\`](#${code}) | ${entry.status} | ${entry.title} |`,
  )
  const sections = entries.map(([code, entry]) => {
    const retry = 'retryable' in entry ? '\n\n**Retry.** The same request may succeed later.' : ''
    const fix = 'howToFix' in entry ? `\n\n**How to fix.** ${entry.howToFix}` : ''
    return `## <a id="${code}"></a>${code}\n\n**${entry.status}.** ${entry.when}${fix}${retry}\n`
  })
  return `# Errors

Every REST response with a status of 400 or above is a problem ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with content
type \`application/problem+json\`. GraphQL errors carry the same members in \`extensions\`.

\`\`\`json
{
  "type": "http://127.0.0.1:4000/docs/errors#not_found",
  "title": "Not found",
  "status": 404,
  "code": "not_found",
  "error": "The resource does not exist or is not reachable with this key.",
  "message": "The resource does not exist or is not reachable with this key.",
  "requestId": "7c9e6679-7425-40de-944b-e07fc1f90ae7"
}
\`\`\`

- Branch on \`code\`. A code never changes; texts may.
- \`retryable\` is true when the same request may succeed later. Wait for the seconds in \`Retry-After\`.
- \`details\` names each wrong field: \`\`{"formErrors": [], "fieldErrors": {"days": ["must be a whole number from 1; got \`0\`"]}}\`\`.
- \`requestId\` also appears in the \`X-Request-Id\` header and in the log of the service.
- \`error\` repeats \`message\` for old clients.

| code | status | meaning |
|---|---|---|
${table.join('\n')}

${sections.join('\n')}`
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    into: { type: 'string', default: import.meta.dirname },
  },
})

const pathOf = (name: string) => join(values.into, name)
const jsonText = (json: unknown) => `${JSON.stringify(json, null, 2)}\n`

/** The text of a file, undefined when the file does not exist. */
const textOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

const examplesFile = join(import.meta.dirname, 'rest/contract/examples.json')
const examples: Examples = JSON.parse((await textOf(examplesFile)) ?? '{}')
const document = openApiOf(restSchema, examples)
const openapi = jsonText(document)
const schema = `${printSchema(publicSchema)}\n`

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

/** Breaking changes since the baseline, except those that are declared with a reason. */
async function undeclaredBreaks({ baseline, changes, breaks }: (typeof contracts)[number]) {
  const before = await textOf(pathOf(baseline))
  if (before === undefined) return []
  const declared: DeclaredChange[] = JSON.parse((await textOf(pathOf(changes))) ?? '[]')
  const known = new Set(declared.flatMap(({ change, why }) => (why.trim() ? [change] : [])))
  return breaks(before).filter((change) => !known.has(change))
}

const files: Record<string, string> = {
  'schema/schema.graphql': schema,
  'docs/errors.md': errorsPage(),
  'docs/audits.md': auditsPage(),
  'rest/contract/openapi.json': openapi,
  'rest/contract/openapi-graph.json': jsonText(graphOpenApiOf(publicSchema)),
  'examples/graphql/documents.ts': await graphDocuments(publicSchema),
}
for (const contract of contracts) {
  const found = await undeclaredBreaks(contract)
  // The baseline never takes over a change that was not declared.
  if (found.length === 0) files[contract.baseline] = contract.text
  else {
    const lines = found.map((change) => `  ${change}\n`).join('')
    process.stderr.write(
      `Changes that break ${contract.clients}:\n${lines}Undo each, or declare it with a reason in ${contract.changes}.\n`,
    )
    process.exitCode = 1
  }
}
// Not committed, so never out of date in a check.
if (!values.check) files['examples/client/schema.ts'] = await restTypes(openapi)

const stale: string[] = []
for (const [name, text] of Object.entries(files)) {
  const path = pathOf(name)
  if ((await textOf(path)) === text) continue
  stale.push(name)
  if (values.check) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
if (stale.length > 0 && values.check) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Run: npm run codegen\n`)
  process.exitCode = 1
}
