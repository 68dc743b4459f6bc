import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parse as parseToml } from 'smol-toml'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { answers, brand, may } from '../kit/reports.ts'
import { emptyFolder, root } from '../kit/repository.ts'
import { resultOf, runCli } from '../kit/service.ts'
import { callTool, eras, recordsOf } from '../kit/tools.ts'

const api = useApi()
let key = ''
let project = ''

beforeAll(async () => {
  const workspace = await api.workspace('enterprise')
  project = await workspace.project(brand)
  key = (await workspace.key()).key
  await workspace.load(project, answers)
})

const script = join(root, 'cli/sightline.js')
const { PATH = '' } = process.env

/** Sends lines to `sightline mcp` and gives what it wrote. */
async function linesOf(lines: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [script, 'mcp'], { env: { PATH, ...env } })
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  return resultOf(child)
}

describe.each(['modern', 'legacy'] as const)('a client of the %s era on standard input', (era) => {
  test('calls the tools of the service', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: eras[era] })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [script, 'mcp'],
        env: { PATH, SIGHTLINE_URL: api.url, SIGHTLINE_KEY: key },
      }),
    )
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_report')
    const given = { project: 'acme', report: 'overview', ...may }
    const { structure } = await callTool(client, 'get_report', given)
    // Five of ten answers mention Acme.
    expect(recordsOf(structure as never)[0]).toMatchObject({ metric: 'visibility', n: 5, of: 10 })
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(/nothing/)
    const { contents } = await client.readResource({ uri: 'sightline://errors' })
    expect(contents).toHaveLength(1)
  })
})

test('standard output has messages alone, whatever is sent', async () => {
  const call = (id: number, name: string) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } })
  const sent = [
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    'no JSON',
    '',
    call(2, 'list_projects'),
    call(3, 'nothing'),
  ]
  const { stdout, code } = await linesOf(sent, { SIGHTLINE_URL: api.url, SIGHTLINE_KEY: key })
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  expect(messages.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, null])
  expect(messages.find(({ id }) => id === null)).toMatchObject({ error: { code: -32_700 } })
  expect(code).toBe(0)
})

test('a service that does not run, and a wrong key, are said with what to do', async () => {
  const sent = [
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_projects', arguments: {} },
    }),
    JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
  ]
  const said = async (env: Record<string, string>) => {
    const { stdout } = await linesOf(sent, env)
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .toSorted((a, b) => a.id - b.id)
  }
  const down = await said({ SIGHTLINE_URL: 'http://127.0.0.1:9', SIGHTLINE_KEY: key })
  expect(down).toMatchObject([
    { result: { isError: true, content: [{ text: expect.stringContaining('npm start') }] } },
    { error: { message: expect.stringContaining('npm start') } },
  ])
  const stopped = await said({ DATA_DIR: emptyFolder() })
  expect(stopped).toMatchObject([
    { result: { isError: true, content: [{ text: expect.stringContaining('npm start') }] } },
    { error: { message: expect.stringContaining('npm start') } },
  ])
  const refused = await said({ SIGHTLINE_URL: api.url, SIGHTLINE_KEY: 'sgl_wrong' })
  expect(refused).toMatchObject([
    { error: { message: expect.stringContaining('key') } },
    { error: { message: expect.stringContaining('key') } },
  ])
})

describe('install', () => {
  const homeOf = () => {
    const home = emptyFolder()
    return { home, env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), CODEX_HOME: '' } }
  }
  const install = async (client: string, env: Record<string, string>, ...more: string[]) => {
    const args = ['mcp', 'install', '--client', client, ...more, '--json']
    const { stdout, stderr } = await runCli(args, { env })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as { path: string; changed: boolean; backup?: string }
  }

  test.each(['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex'])(
    '%s: twice is once, and what was there stays',
    async (client) => {
      const { home, env } = homeOf()
      const { path } = await install(client, env, '--dry-run')
      expect(path.startsWith(home)).toBe(true)
      const isToml = path.endsWith('.toml')
      const others = isToml
        ? '# mine\nmodel = "o9"\n\n[mcp_servers.other]\ncommand = "other"\n'
        : '{\n  // mine\n  "theme": "dark"\n}\n'
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, others, { mode: 0o600 })
      const first = await install(client, env)
      expect(first).toEqual({ path, changed: true, backup: `${path}.before-sightline` })
      expect(readFileSync(first.backup ?? '', 'utf8')).toBe(others)
      const written = readFileSync(path, 'utf8')
      expect(written).toContain('mine')
      expect(written).toContain('sightline.js')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(await install(client, env)).toEqual({ path, changed: false })
      // Another launch takes the place of the first one.
      await install(client, { ...env, SIGHTLINE_KEY: 'sgl_x' })
      const again = readFileSync(path, 'utf8')
      expect(again.match(/sightline\.js/g)).toHaveLength(1)
      expect(again).toContain('sgl_x')
      if (isToml) {
        expect(parseToml(again)).toMatchObject({
          model: 'o9',
          mcp_servers: { other: { command: 'other' }, sightline: { args: [script, 'mcp'] } },
        })
      }
    },
  )

  test('a file that cannot be read is left as it is', async () => {
    const { env } = homeOf()
    const { path } = await install('cursor', env, '--dry-run')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '{ "mcpServers": ')
    const { code, stderr } = await runCli(['mcp', 'install', '--client', 'cursor'], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be read')])
    expect(readFileSync(path, 'utf8')).toBe('{ "mcpServers": ')
  })
})
