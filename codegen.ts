import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printSchema } from 'graphql'
import { exampleFiles } from './codegen-examples.ts'
import { catalog, type ErrorCode } from './core/errors.ts'
import { bare, breakingChanges, type DeclaredChange } from './rest/openapi/compat.ts'
import { type Examples, type OpenApiDocument, openApiOf } from './rest/openapi/openapi.ts'
import { publicSchema, restSchema } from './schema/index.ts'

/**
 * Files that are made from code. `node codegen.ts` writes them, `--check` fails when one is out of step.
 * `--into FOLDER` stands for the folder of this repository.
 */

function errorsPage(): string {
  const entries = Object.entries(catalog) as [ErrorCode, (typeof catalog)[ErrorCode]][]
  const table = entries.map(
    ([code, entry]) => `| [\`${code}\`](#${code}) | ${entry.status} | ${entry.title} |`,
  )
  const sections = entries.map(([code, entry]) => {
    const retry =
      'retryable' in entry ? '\n\nThe request may be sent again: `retryable` is true.' : ''
    const fix = 'howToFix' in entry ? `\n\n**How to fix it.** ${entry.howToFix}` : ''
    return `## <a id="${code}"></a>${code}\n\n**${entry.status}.** ${entry.when}${fix}${retry}\n`
  })
  return `# Errors

Every answer that is not 2xx is a problem ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) of content
type \`application/problem+json\`. Branch on \`code\`: it never changes. GraphQL carries the same members in
\`extensions\` of each error.

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

\`error\` repeats \`message\` for old clients. \`requestId\` is also in the header \`X-Request-Id\` and in the log.
\`details\` names the fields that are wrong: \`{"formErrors": [], "fieldErrors": {"days": ["must be at least 1"]}}\`.

| code | status | what happened |
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
const textOf = (json: unknown) => `${JSON.stringify(json, null, 2)}\n`

/** A file of JSON; undefined where there is none. */
async function readJson<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

const baselineFile = 'rest/contract/baseline.json'
const changesFile = 'rest/contract/changes.json'

/** What would break the clients of the baseline, and is not declared. */
async function undeclaredChanges(document: OpenApiDocument): Promise<string[]> {
  const baseline = await readJson<OpenApiDocument>(pathOf(baselineFile))
  const declared = (await readJson<DeclaredChange[]>(pathOf(changesFile))) ?? []
  const known = new Set(declared.map(({ change }) => change))
  return baseline ? breakingChanges(baseline, document).filter((line) => !known.has(line)) : []
}

const examplesFile = new URL('rest/contract/examples.json', import.meta.url)
const examples = await readJson<Examples>(fileURLToPath(examplesFile))
const document = openApiOf(restSchema, examples)
const breaking = await undeclaredChanges(document)
const schema = `${printSchema(publicSchema)}\n`

const files: Record<string, string> = {
  'schema/schema.graphql': schema,
  'docs/errors.md': errorsPage(),
  'rest/contract/openapi.json': textOf(document),
  // A change that breaks clients does not become what the next one is compared with.
  ...(breaking.length === 0 ? { [baselineFile]: textOf(bare(document)) } : {}),
  ...(await exampleFiles(document, publicSchema)),
}

const stale: string[] = []
for (const [name, text] of Object.entries(files)) {
  const path = pathOf(name)
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
  stale.push(name)
  if (values.check) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
if (breaking.length > 0) {
  const lines = breaking.map((change) => `  ${change}\n`).join('')
  process.stderr.write(`Clients would break:\n${lines}Undo it, or declare it in ${changesFile}.\n`)
  process.exitCode = 1
}
if (stale.length > 0 && values.check) {
  process.stderr.write(`Out of step: ${stale.join(', ')}. Mend: npm run codegen\n`)
  process.exitCode = 1
}
