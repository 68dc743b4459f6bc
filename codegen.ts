import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSchema } from 'graphql'
import { catalog, type ErrorCode } from './core/errors.ts'
import { publicSchema } from './schema/index.ts'

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

const files: Record<string, string> = {
  'schema/schema.graphql': `${printSchema(publicSchema)}\n`,
  'docs/errors.md': errorsPage(),
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    into: { type: 'string', default: import.meta.dirname },
  },
})

const stale: string[] = []
for (const [name, text] of Object.entries(files)) {
  const path = join(values.into, name)
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue
  stale.push(name)
  if (values.check) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
if (stale.length > 0 && values.check) {
  process.stderr.write(`Out of step: ${stale.join(', ')}. Mend: npm run codegen\n`)
  process.exitCode = 1
}
