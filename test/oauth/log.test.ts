import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { browserOf, callWith, connectByOAuth, refreshed } from '../kit/oauth.ts'
import { callTool } from '../kit/tools.ts'
import { freePort } from '../kit/web/free-port.ts'

const lines: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)
const api = useApi({ PORT: String(await freePort()) }, log)

test('the log has no token, key, code or plan', async () => {
  const workspace = await api.workspace('growth')
  const project = await workspace.project()
  const { key } = await workspace.key({ scopes: ['admin'] })
  const session = await workspace.session()
  const { client, auth } = await connectByOAuth(api, browserOf(api, session), { draft: true })
  const { access_token: token = '', refresh_token: refresh = '' } = auth.kept ?? {}
  const { text, structure, isError } = await callTool(client, 'plan_change', {
    project,
    action: 'add_prompts',
    input: { prompts: [{ text: 'a planned question' }] },
  })
  expect(isError, text).toBe(false)
  const { plan } = structure as { plan: string }
  await callTool(client, 'apply_change', { plan })
  await callWith(api, key)
  await callWith(api, `${token}x`)
  const next = await refreshed(api, auth.info?.client_id ?? '', refresh)
  const pair = (await next.json()) as { access_token: string; refresh_token: string }
  const { access_token: secondToken, refresh_token: secondRefresh } = pair
  // A request that fails in the library is logged with its error.
  await fetch(`${api.url}/oauth/token`, { method: 'POST', body: `refresh_token=${refresh}` })
  const said = lines.join('')
  expect(lines.length).toBeGreaterThan(0)
  const secrets = { key, session, token, refresh, plan, secondToken, secondRefresh }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(20)
    expect(said.includes(secret), name).toBe(false)
  }
})
