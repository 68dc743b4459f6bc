import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { strFromU8, unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { bundle, type manifest, registryEntry } from '../../codegen/bundle.ts'
import { useApi } from '../kit/api.ts'
import { emptyFolder } from '../kit/repository.ts'
import { callTool } from '../kit/tools.ts'

const api = useApi()

/** Unpacks a bundle, and reads how a client starts it with what the person typed into its form. */
function unpacked(bytes: Uint8Array, typed: Readonly<Record<string, string>>) {
  const folder = emptyFolder()
  const files = unzipSync(bytes)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const filled = (text: string) =>
    text
      .replace(/\$\{__dirname\}/, folder)
      .replace(/\$\{user_config\.(\w+)\}/g, (_whole, name: string) => typed[name] ?? '')
  const read = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array())) as typeof manifest
  const { args, env } = read.server.mcp_config
  return {
    manifest: read,
    args: args.map(filled),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
  }
}

test('the bundle for desktop clients passes calls to the address and with the key of its form', async () => {
  const workspace = await api.workspace()
  const project = await workspace.project()
  const { key } = await workspace.key()
  const bytes = await bundle()
  // People paste either address.
  const { manifest, args, env } = unpacked(bytes, { url: `${api.url}/mcp`, key })
  const client = new Client({ name: 'test', version: '1' })
  const { PATH = '' } = process.env
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env, PATH } }),
  )
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(manifest.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  const { structure } = await callTool(client, 'list_projects')
  expect(structure).toMatchObject({ rows: [expect.arrayContaining([project])] })
  expect(client.getServerVersion()?.version).toBe(manifest.version)
})

test('the same sources make the same bundle, whose hash the registry gets', async () => {
  const [bytes, again] = [await bundle(), await bundle()]
  const sha256 = createHash('sha256').update(again).digest('hex')
  const place = { name: 'io.github.someone/sightline', at: 'https://example.com/sightline.mcpb' }
  const { description, packages, version } = registryEntry(bytes, place)
  expect(packages).toMatchObject([{ fileSha256: sha256, identifier: place.at, version }])
  // The registry takes no more.
  expect(description.length).toBeLessThanOrEqual(100)
})
