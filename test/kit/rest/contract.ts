import { readFileSync } from 'node:fs'

/** One row of the contract's tables of operations. */
export interface ContractOperation {
  readonly number: number
  readonly operationId: string
  readonly method: string
  readonly path: string
}

const row =
  /^\| (?<numbers>\d+(?:–\d+)?) \| [SNI] \| (?<ids>[\w, ]+) \| (?<method>GET|POST|PATCH)\b(?<rest>[^|]*)\|/

/** Rows whose paths stand in prose rather than in the table: the writes under the v1 prefix. */
const v1Writes: Record<string, readonly [string, string]> = {
  addPromptsV1: ['POST', '/prompts'],
  updatePromptV1: ['PATCH', '/prompts/{promptId}'],
  setPromptTrackingV1: ['POST', '/prompts/{promptId}/tracking'],
  restorePromptWordingV1: ['POST', '/prompts/{promptId}/restore-wording'],
  createReportV1: ['POST', '/reports'],
  refreshSitemapV1: ['POST', '/sitemap/refresh'],
}

/** The 91 operations, read from the contract itself. */
export function contractOperations(): ContractOperation[] {
  const text = readFileSync(
    new URL('../../../../shared/contract/operations.md', import.meta.url),
    'utf8',
  )
  return text.split('\n').flatMap((line) => {
    const groups = row.exec(line)?.groups
    if (!groups) return []
    const first = Number.parseInt(groups.numbers ?? '', 10)
    return (groups.ids ?? '').split(', ').map((operationId, i) => {
      const [method, tail] = v1Writes[operationId] ?? [
        groups.method ?? '',
        (groups.rest ?? '').trim(),
      ]
      const prefix = v1Writes[operationId]
        ? '/api/v1/projects/{projectId}'
        : '/api/mcp/projects/{projectId}'
      const path = tail.startsWith('/api/') ? tail : prefix + tail
      return { number: first + i, operationId, method, path }
    })
  })
}
