import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { answerOf, type Client, connect } from './connect.ts'

const { SIGHTLINE_URL = 'http://127.0.0.1:4000', SIGHTLINE_KEY = '' } = process.env
const csvFile = process.argv[2] ?? 'sources.csv'

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Every prompt, page by page: `nextOffset` is the next page until `hasMore` is false. */
async function* promptsOf(client: Client, projectId: string) {
  for (let offset = 0; ; ) {
    const query = { limit: 20, offset }
    const page = answerOf(
      await client.GET('/api/mcp/projects/{projectId}/prompts', {
        params: { path: { projectId }, query },
      }),
    )
    yield* page.prompts
    if (!page.pagination.hasMore) return
    offset = page.pagination.nextOffset
  }
}

/** Every cited domain. Pages by cursor keep the data of the first page, even during an import. */
async function* sourcesOf(client: Client, projectId: string) {
  let cursor: string | undefined
  do {
    const query = { days: 90, limit: 20, ...(cursor ? { cursor } : {}) }
    const page = answerOf(
      await client.GET('/api/mcp/projects/{projectId}/sources/domains', {
        params: { path: { projectId }, query },
      }),
    )
    yield* page.sources
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

/** Writes the cited domains as a CSV file, byte for byte. */
async function exportSources(client: Client, projectId: string, file: string): Promise<void> {
  const bytes = answerOf(
    await client.GET('/api/mcp/projects/{projectId}/sources/domains', {
      params: { path: { projectId }, query: { days: 90, limit: 1000, format: 'csv' } },
      parseAs: 'arrayBuffer',
    }),
  )
  await writeFile(file, new Uint8Array(bytes))
}

/** Adds a prompt. The idempotency key keeps repeated requests from adding a second prompt. */
async function addPrompt(client: Client, projectId: string, text: string) {
  const { prompts } = answerOf(
    await client.POST('/api/mcp/projects/{projectId}/prompts', {
      params: { path: { projectId }, header: { 'Idempotency-Key': randomUUID() } },
      body: { prompts: [{ text }] },
    }),
  )
  return prompts[0]
}

const client = connect(SIGHTLINE_URL, SIGHTLINE_KEY)
const { projects } = answerOf(await client.GET('/api/mcp/projects', {}))
const [project] = projects
if (!project) throw new Error('The key reaches no project.')
say(project.name)

let prompts = 0
let tracked = 0
for await (const { isTracked } of promptsOf(client, project.id)) {
  prompts += 1
  if (isTracked) tracked += 1
}
say(`${prompts} prompts, ${tracked} of them tracked`)

const domains: string[] = []
for await (const { domain } of sourcesOf(client, project.id)) domains.push(domain)
say(`${domains.length} cited domains, most often ${domains.slice(0, 3).join(', ')}`)

await exportSources(client, project.id, csvFile)
say(`The same in ${csvFile}`)

const added = await addPrompt(client, project.id, 'Which headphones are best for flights?')
say(`Added "${added?.text}" at revision ${added?.currentRevision}`)
