import type { ElicitResult } from '@modelcontextprotocol/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type TestWorkspace, useApi } from '../kit/api.ts'
import { browserOf, connectByOAuth } from '../kit/oauth.ts'
import { callTool, connect, eras } from '../kit/tools.ts'
import { freePort } from '../kit/web/free-port.ts'

const api = useApi({ PORT: String(await freePort()) })

let workspace: TestWorkspace
let project = ''
let key = ''

beforeAll(async () => {
  workspace = await api.workspace('growth')
  key = (await workspace.key({ scopes: ['read', 'write'], capabilities: ['prompt:draft'] })).key
})

beforeEach(async () => {
  project = await workspace.project()
})

const adding = (text: string) => ({
  project,
  action: 'add_prompts',
  input: { prompts: [{ text }] },
})

const texts = async () =>
  (await api.db.prompt.findMany({ where: { projectId: project } })).map(({ text }) => text)

interface Plan {
  readonly plan: string
  readonly approve_at: string
  readonly summary: string
}

async function planned(client: Client, given: object): Promise<Plan> {
  const { structure, text, isError } = await callTool(client, 'plan_change', { ...given })
  expect(isError, text).toBe(false)
  expect(text.length).toBeLessThan(2500 * 3.6)
  return structure as unknown as Plan
}

const apply = (client: Client, plan: string) => callTool(client, 'apply_change', { plan })

/** A client whose person sees forms, and what they were asked. */
async function asking(decide: (message: string) => ElicitResult, by = key) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: eras.modern, capabilities: { elicitation: { form: {} } } },
  )
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
    asked.push(message)
    return decide(message)
  })
  const headers = { authorization: `Bearer ${by}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  return { client, asked }
}

describe('a client that shows forms', () => {
  test('asks its person, in words of the service, and applies what they approve', async () => {
    const { client, asked } = await asking(() => ({ action: 'accept', content: { approve: true } }))
    const { plan } = await planned(client, adding('best earbuds'))
    expect(await texts()).toEqual([])
    const { structure, isError, text } = await apply(client, plan)
    expect(isError, text).toBe(false)
    expect(structure).toMatchObject({
      status: 'applied',
      summary: 'Add the prompt “best earbuds”.',
    })
    expect(asked).toEqual(['Add the prompt “best earbuds”.\nPrompt: best earbuds'])
    expect(await texts()).toEqual(['best earbuds'])
    expect((await apply(client, plan)).structure).toEqual(structure)
    expect(asked).toHaveLength(1)
  })

  test.each([
    ['declines', { action: 'decline' }, 'change_over'],
    ['does not tick the box', { action: 'accept', content: { approve: false } }, 'change_over'],
    ['closes the form', { action: 'cancel' }, 'change_not_approved'],
  ] as const)('changes nothing where they %s', async (_what, answer, code) => {
    const { client } = await asking(() => answer as ElicitResult)
    const { plan } = await planned(client, adding('best earbuds'))
    const refused = await apply(client, plan)
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(`^${code}: `) })
    expect(await texts()).toEqual([])
  })
})

/** A call by hand, in the modern era, by a client that says that it shows forms. */
async function callByHand(params: object, by = key) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'apply_change',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'apply_change', _meta: meta, ...params },
    }),
  })
  return ((await response.json()) as { result: Record<string, unknown> }).result
}

test('an approval counts only with the signed state of its question: forged, of another plan, of another key', async () => {
  const client = await connect(api.url, key)
  const [one, other] = [
    await planned(client, adding('one')),
    await planned(client, adding('other')),
  ]
  const inputResponses = { approve: { action: 'accept', content: { approve: true } } }
  const question = await callByHand({ arguments: { plan: one.plan } })
  expect(question).toMatchObject({ resultType: 'input_required' })
  const state = String(question.requestState)
  for (const [plan, requestState] of [
    [one.plan, undefined],
    [one.plan, 'forged'],
    [one.plan, `${state.slice(0, -2)}xx`],
    [other.plan, state],
  ]) {
    const again = await callByHand({
      arguments: { plan },
      inputResponses,
      ...(requestState !== undefined && { requestState }),
    })
    expect(again).toMatchObject({ resultType: 'input_required' })
  }
  const second = await workspace.key({ scopes: ['read', 'write'], capabilities: ['prompt:draft'] })
  const byOther = { arguments: { plan: one.plan }, inputResponses, requestState: state }
  expect(await callByHand(byOther, second.key)).not.toMatchObject({ isError: false })
  expect(await texts()).toEqual([])
  const done = await callByHand({
    arguments: { plan: one.plan },
    inputResponses,
    requestState: state,
  })
  expect(done).toMatchObject({ structuredContent: { status: 'applied' } })
  expect(await texts()).toEqual(['one'])
})

test.each(['modern', 'legacy'] as const)(
  'a client of the %s era without forms waits for the dashboard',
  async (era) => {
    const client = await connect(api.url, key, era)
    const { plan, approve_at: link } = await planned(client, adding('best earbuds'))
    const id = link.split('/').at(-1)
    expect(link).toBe(`${api.url}/projects/${project}/changes/${id}`)
    const early = await apply(client, plan)
    expect(early.isError).toBe(true)
    expect(early.text).toMatch(/^change_not_approved: /)
    expect(early.text).toContain(link)
    const query = `mutation { approveChange(projectId: "${project}", changeId: "${id}") { __typename } }`
    const approved = await browserOf(api, await workspace.session())('/graphql', { query })
    expect(await approved.json()).toEqual({
      data: { approveChange: { __typename: 'PlannedChange' } },
    })
    expect(await apply(client, plan)).toMatchObject({ structure: { status: 'applied' } })
    expect(await texts()).toEqual(['best earbuds'])
  },
)

test('what is no plan is refused', async () => {
  const client = await connect(api.url, key)
  for (const plan of ['x', 'A'.repeat(43), '../../etc/passwd']) {
    const { text, isError } = await apply(client, plan)
    expect(isError).toBe(true)
    expect(text).toMatch(/^(invalid_argument|not_found): /)
  }
})

describe('a right that is missing', () => {
  test('is asked for by 403 insufficient_scope, and a client that connects again goes on', async () => {
    const browser = browserOf(api, await workspace.session())
    const { auth } = await connectByOAuth(api, browser)
    const token = auth.kept?.access_token ?? ''
    const call = (by: string) =>
      fetch(`${api.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${by}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'plan_change', arguments: adding('best earbuds') },
        }),
      })
    const refused = await call(token)
    expect(refused.status).toBe(403)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="read prompt:draft"')
    expect(challenge).toContain('resource_metadata=')
    const { auth: further } = await connectByOAuth(api, browser, { draft: true })
    expect((await call(further.kept?.access_token ?? '')).status).toBe(200)
  })

  test('is said to a key, which nobody can ask for more', async () => {
    const reader = (await workspace.key({ scopes: ['read'] })).key
    const client = await connect(api.url, reader)
    const { text, isError } = await callTool(client, 'plan_change', adding('best earbuds'))
    expect(isError).toBe(true)
    expect(text).toMatch(/^missing_scope: .* Use a key that has `prompt:draft`\.$/)
  })

  test('is none that a person can give where it is admin', async () => {
    const { client } = await connectByOAuth(api, browserOf(api, await workspace.session()), {
      write: true,
    })
    const given = { project, action: 'add_topic', input: { name: 'Sound' } }
    const { text, isError } = await callTool(client, 'plan_change', given)
    expect(isError).toBe(true)
    expect(text).toContain('in the dashboard')
  })
})
