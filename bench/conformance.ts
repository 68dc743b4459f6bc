import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../core/errors.ts'
import { toolDoor } from '../mcp/door.ts'
import { answering } from '../mcp/server.ts'
import { createRequestState, type RequestState } from '../plugins/request-state.ts'
import { readBody } from '../rest/handler/body.ts'
import { responder } from '../rest/handler/reply.ts'
import { fixtures } from './conformance/fixtures.ts'
import { say, startBenchService } from './service.ts'

/**
 * node bench/conformance.ts
 *
 * Runs the official conformance suite of the Model Context Protocol, by npx: against the door of the tools with the tools
 * that the suite knows behind it, and against the service with its own. It prints the checks that failed.
 */
const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const revisions = ['2026-07-28', '2025-11-25'] as const

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'SKIPPED' | 'WARNING' | 'INFO'
  readonly errorMessage?: string
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The suite sends no key: this adds one to each request. */
const withKey = (to: string, key: string) =>
  createServer((incoming, outgoing) => {
    const { method = 'POST', url = '/', headers } = incoming
    const { port } = new URL(to)
    const sent = request({
      host: '127.0.0.1',
      port,
      path: url,
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
    })
    sent.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  })

/** The door of the tools, in front of those of the suite. */
function fixtureServer(): Server {
  const reply = toolDoor({
    baseUrl: 'http://127.0.0.1',
    origins: [],
    callsPerKey: 4,
    async admit(state) {
      state.rateBucket = 'mcp:suite'
    },
    readBody,
    serve: answering(fixtures, () => undefined),
  })
  const faultOf = (error: unknown) =>
    error instanceof Fault ? error : new Fault('internal_error', String(error))
  const answer = responder({ baseUrl: 'http://127.0.0.1', faultOf }, (incoming, state) =>
    reply(incoming, state as RequestState),
  )
  return createServer((incoming, outgoing) => {
    const state = createRequestState({
      requestId: 'suite',
      address: '127.0.0.1',
      authorization: undefined,
      idempotencyKeys: [],
      ifMatch: [],
    })
    return answer(incoming, outgoing, state)
  })
}

/** Runs the scenarios that a revision asks for. @returns the checks of each scenario, and the suite's own summary */
async function run(url: string, revision: string) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const child = spawn(
    'npx',
    ['--yes', suite, 'server', '--url', `${url}/mcp`, '--requirements', revision, '-o', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const said = Buffer.concat(await child.stdout.toArray()).toString()
  const notScored = new Set(
    [...said.matchAll(/^ {2}[✓✗] (\S+) \((?:extension|pending|added-after-release)\)$/gmu)].map(
      ([, name]) => name,
    ),
  )
  const scenarios = readdirSync(folder).map((name) => ({
    name: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, ''),
    checks: JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
  }))
  if (scenarios.length === 0) throw new Error(said)
  return scenarios.filter(({ name }) => !notScored.has(name))
}

const hasFailed = ({ status }: Check) => status === 'FAILURE'

const servers = { fixtures: fixtureServer() }
const service = await startBenchService()
const key = withKey(service.url, service.key)
const addresses = {
  'the tools of the suite behind our door': await listening(servers.fixtures),
  'the service': await listening(key),
}
for (const [name, url] of Object.entries(addresses)) {
  for (const revision of revisions) {
    const scenarios = await run(url, revision)
    const passed = scenarios.filter(({ checks }) => !checks.some(hasFailed))
    const checks = scenarios.flatMap((each) => each.checks)
    const failed = checks.filter(hasFailed)
    say(
      `${revision}, ${name}: ${passed.length} of ${scenarios.length} scenarios, ${checks.length - failed.length} of ${checks.length} checks`,
    )
    for (const { name: scenario, checks: all } of scenarios) {
      for (const { id, errorMessage } of all.filter(hasFailed)) {
        say(`  ${scenario}: ${id}: ${errorMessage}`)
      }
    }
  }
}
servers.fixtures.close()
key.close()
await service.stop()
