import { expect } from 'vitest'
import type { TestApi } from '../kit/api.ts'
import { asking, faultIn } from '../kit/changes.ts'
import { bodies, type Providers } from '../kit/collecting/provider.ts'
import type { TestWorker } from '../kit/worker.ts'

const refusal = {
  object: 'response',
  model: 'gpt-5-mini',
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'Acme says no.' }] }],
  usage: { input_tokens: 1000, output_tokens: 100 },
}

interface SeenAnswer {
  readonly id: string
  readonly text: string
  readonly mentions: readonly { readonly brand: { readonly name: string } }[]
}

interface SeenProject {
  readonly answers: { readonly nodes: readonly SeenAnswer[] }
  readonly visibility: { readonly coverage: readonly object[] }
  readonly collectingCost: { readonly questions: number; readonly cost: number }
}

/** Sums of fractions differ in their last digits with the order of their rows. */
const withoutLastDigits = (_key: string, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value

const counts = 'provider asked answered absent failed'
const fields = `
  dataAvailableFrom dataAvailable { from to }
  answers(first: 100) { nodes {
    id text model run { status } citations { url title } retrievedUrls { url } searchQueries mentions { brand { name } }
  } }
  visibility { coverage { ${counts} refused } }
  collectingCost { questions cost }
  runs { nodes { coverage { ${counts} cost } } }`

/** A project whose answers a run has collected. */
export interface CollectedProject {
  readonly id: string
  readonly ask: ReturnType<typeof asking>
  /** Asks again. */
  collect(): Promise<void>
  /** All that readers see, by both doors. */
  seen(): Promise<SeenProject & { readonly summary: object; readonly domains: unknown }>
  /** The newest first. */
  imports(): Promise<{ readonly id: string; readonly file: string }[]>
  undo(importId: string | null | undefined): Promise<void>
}

/**
 * Asks about anvils and bolts, each so often. OpenAI says "Acme is great." of anvils and refuses bolts. Perplexity says
 * the same of anvils, and "I cannot say, but Bolt." of bolts.
 */
export async function collectedProject(
  api: TestApi,
  providers: Providers,
  worker: TestWorker,
  repetitions = 1,
): Promise<CollectedProject> {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key: admin } = await workspace.key({ scopes: ['admin'] })
  const ask = asking(api, () => admin)
  const change = async (mutation: string) => {
    expect(faultIn(await ask(`mutation { ${mutation} { __typename } }`))).toBe('none')
  }
  providers.always(({ provider, prompt }, response) => {
    const isBolts = prompt === 'best bolts?'
    const said = isBolts ? 'I cannot say, but Bolt.' : 'Acme is great.'
    const body = isBolts && provider === 'openai' ? refusal : bodies[provider](said)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const prompts = '[{ text: "best anvils?" }, { text: "best bolts?" }]'
  await change(`addPrompts(projectId: "${project}", prompts: ${prompts})`)
  for (const provider of ['openai', 'perplexity'] as const) {
    const key = `provider: ${provider}, secret: "sk-very-secret-0123456789"`
    const at = `baseUrl: "${providers.baseUrl(provider)}"`
    await change(`setProviderKey(workspaceId: "${workspace.id}", ${key}, ${at})`)
  }
  const collect = async () => {
    await change(`runPrompts(projectId: "${project}", repetitions: ${repetitions})`)
    await worker.idle()
  }
  await collect()
  const rest = async (path: string) =>
    (await api.get(`/api/mcp/projects/${project}/${path}`, admin)).json()
  return {
    id: project,
    ask,
    collect,
    async seen() {
      const { data, errors } = await ask(`{ project(id: "${project}") { ${fields} } }`)
      expect(errors).toBeUndefined()
      const { summary } = (await rest('visibility')) as { summary: object }
      const found = JSON.parse(JSON.stringify(data.project, withoutLastDigits)) as SeenProject
      return { ...found, summary, domains: await rest('sources/domains') }
    },
    async imports() {
      const list = 'imports { nodes { id status file read loaded } }'
      const { data } = await ask(`{ project(id: "${project}") { ${list} } }`)
      const found = data.project as unknown as {
        imports: { nodes: { id: string; file: string }[] }
      }
      return found.imports.nodes
    },
    undo: (importId) => change(`undoImport(projectId: "${project}", importId: "${importId}")`),
  }
}
