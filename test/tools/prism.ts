import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll } from 'vitest'
import { root } from '../kit/repository.ts'
import { plainFetch } from '../kit/rest/checked-fetch.ts'
import { freePort } from '../kit/web/free-port.ts'

const program = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')

/** However we end, the channel to us is then closed. */
const endsWithUs = 'data:text/javascript,process.on("disconnect",()=>process.exit())'

function spawnPrism(upstream: string, port: number, requests: boolean) {
  const options = ['--errors', `--validate-request=${requests}`, '--verboseLevel', 'fatal']
  const place = ['--host', '127.0.0.1', '--port', String(port)]
  const asked = ['proxy', join(root, 'rest/contract/openapi.json'), upstream, ...place, ...options]
  return spawn(process.execPath, ['--import', endsWithUs, program, ...asked], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

/**
 * Prism between a client and a service. It replaces an answer that violates the document by an error with the
 * reason. It runs while the tests of a `describe` do.
 * @param upstream where the service listens, by then
 * @param requests whether it holds requests against the document too, rather than answers alone
 */
export function usePrism(upstream: () => string, requests: boolean): { readonly url: string } {
  const prism = { url: '' }
  beforeAll(async () => {
    const port = await freePort()
    const child = spawnPrism(upstream(), port, requests)
    const ended = once(child, 'exit')
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => (said += chunk))
    }
    prism.url = `http://127.0.0.1:${port}`
    const answers = () =>
      plainFetch(prism.url).then(
        () => true,
        () => false,
      )
    while (child.exitCode === null && !(await answers())) await sleep(100)
    if (child.exitCode !== null) throw new Error(`Prism did not start: ${said}`)
    return async () => {
      child.kill()
      await ended
    }
  })
  return prism
}
