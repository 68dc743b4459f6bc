import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { gptBot } from '../kit/imports/access-logs.ts'
import { emptyFolder, root } from '../kit/repository.ts'
import { until } from '../kit/service.ts'
import { startEndpoint } from '../kit/tracker/endpoint.ts'
import { rowsInLog } from '../kit/tracker/folder.ts'
import { blocks } from '../kit/tracker/senders.ts'
import { freePort } from '../kit/web/free-port.ts'

const run = promisify(execFile)

/** Files of a site with one page, an older page that its own proxy redirects, and the proxy of the page. */
const site = {
  'package.json': '{"type":"module"}',
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>',
  'app/shop/page.js': 'export default () => <p>Hello</p>',
}

/** A site of the real Next.js, which is too large to be a package of ours, built with the packed sender. */
async function buildSite(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = emptyFolder()
  for (const [path, text] of Object.entries({ ...site, ...files })) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const pack = ['pack', '--workspace', 'packages/sender', '--pack-destination', folder]
  await run('npm', pack, { cwd: root })
  const packages = ['./sightline-sender-0.1.0.tgz', 'next@16', 'react@19', 'react-dom@19']
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const }
  await run('node_modules/.bin/next', ['build'], { cwd: folder, env })
  return folder
}

test('`next start` sends each request with the host of the client, and the last ones at SIGTERM', async () => {
  const endpoint = await startEndpoint()
  const folder = await buildSite({ 'proxy.js': blocks.get('proxy.js') ?? '' })
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    SIGHTLINE_TRACKER: endpoint.url,
    SIGHTLINE_INGEST_KEY: endpoint.key,
    SIGHTLINE_SITE_TOKEN: endpoint.siteToken,
  }
  const next = join(folder, 'node_modules/next/dist/bin/next')
  const args = [next, 'start', '--port', String(port)]
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'inherit' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/favicon.ico`).then(
      () => true,
      () => false,
    ),
  )
  const rows = async () => (await rowsInLog(endpoint.dir)).map((row) => JSON.parse(row))
  const headers = { 'user-agent': gptBot, 'x-forwarded-for': '20.171.207.9' }
  const forwarded = { 'x-forwarded-host': 'www.acme.com', 'x-forwarded-proto': 'https' }

  const reply = await fetch(`${url}/shop?token=hush`, { headers: { ...headers, ...forwarded } })
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hello')])
  await until(async () => (await rows()).length === 1)
  await fetch(`${url}/absent`, { headers: { ...headers, connection: 'close' } })
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(await rows()).toMatchObject([
    { path: '/shop', host: 'www.acme.com', bot_name: 'GPTBot', ip_address: '20.171.207.0' },
    { path: '/absent', host: '127.0.0.1', bot_name: 'GPTBot' },
  ])
})
