import { catalog, type ErrorCode } from '../core/errors.ts'
import { problemTypeOf } from '../core/problem.ts'

/** The page of all errors, `docs/errors.md`. */
export function errorsPage(): string {
  const entries = Object.entries(catalog) as [ErrorCode, (typeof catalog)[ErrorCode]][]
  const table = entries.map(
    ([code, entry]) => `| [\`${code}\`](#${code}) | ${entry.status} | ${entry.title} |`,
  )
  const sections = entries.map(([code, entry]) => {
    const retry = 'retryable' in entry ? '\n\n**Retry.** The same request may succeed later.' : ''
    const fix = 'howToFix' in entry ? `\n\n**How to fix.** ${entry.howToFix}` : ''
    const type = problemTypeOf(code)
    const data = type ? `\n\n**In a mutation of GraphQL.** Data of the type \`${type}\`.` : ''
    return `## <a id="${code}"></a>${code}\n\n**${entry.status}.** ${entry.when}${fix}${retry}${data}\n`
  })
  return `# Errors

Every REST response with a status of 400 or above is a problem ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with content
type \`application/problem+json\`. GraphQL errors carry the same members in \`extensions\`.
A mutation answers with many of the codes [as data](graphql.md#changes).

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
