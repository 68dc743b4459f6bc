import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { root } from './repository.ts'
import { plainFetch } from './strict-fetch.ts'

const program = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/**
 * Prism between a client and a service: what is not as the document says it turns into an answer of its own, which
 * tells why. It ends with the tests of the file.
 * @param requests whether it holds requests against the document too, rather than answers alone
 * @returns where it listens
 */
export async function startPrism(upstream: string, requests: boolean): Promise<string> {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [
      ...[program, 'proxy', join(root, 'rest/openapi.json'), upstream],
      ...['--errors', `--validate-request=${requests}`, '--cors=false'],
      ...['--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'fatal'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = once(child, 'exit')
  afterAll(async () => {
    child.kill()
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  while (child.exitCode === null) {
    const answers = await plainFetch(url).then(
      () => true,
      () => false,
    )
    if (answers) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Prism did not start: ${said}`)
}
