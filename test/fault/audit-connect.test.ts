import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { until } from '../kit/service.ts'
import { soundPage } from '../kit/small-site.ts'
import { startAuditWorker } from './audit-worker.ts'

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const api = useApi({}, undefined, { ownDatabase: true })

/** Private addresses in every spelling, and names that lead to them. */
const traps = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:7f00:1]/',
  'http://[::7f00:1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://168.63.129.16/',
  'http://localhost/',
  'http://inner.shop.test/',
  'http://mixed.shop.test/',
  'http://mapped.shop.test/',
  'http://metadata.shop.test/latest/',
  'http://rebind.shop.test/a',
  'https://rebind.shop.test/b',
]

/** A site that leads to the traps by redirects, links, canonicals, its sitemap and llms.txt. */
async function startTrapSite(ownPort: number) {
  const all = [...traps, `http://127.0.0.1:${ownPort}/`]
  const links = all.map((address) => `<a href="${address}">Go</a>`).join('')
  const server = createServer(({ url = '/' }, response) => {
    const [, trap] = /^\/to-(\d+)$/.exec(url) ?? []
    const location = trap === undefined ? undefined : all[Number(trap)]
    if (location !== undefined) response.writeHead(302, { location }).end()
    else if (url === '/robots.txt') {
      response.end(`User-agent: *\nAllow: /\n${all.map((one) => `Sitemap: ${one}\n`).join('')}`)
    } else if (url === '/llms.txt') {
      response.end(`# Shop\n\n${all.map((one) => `- [Go](${one})\n`).join('')}`)
    } else {
      const [, canonical] = /^\/canonical-(\d+)$/.exec(url) ?? []
      const address = canonical === undefined ? `http://shop.test${url}` : all[Number(canonical)]
      const page = soundPage(url).replace(`href="http://shop.test${url}"`, `href="${address}"`)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(page.replace('</p></main>', `${links}</p></main>`))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const redirects = all.map((_, i) => `http://shop.test/to-${i}`)
  const canonicals = all.map((_, i) => `http://shop.test/canonical-${i}`)
  return { port: (server.address() as AddressInfo).port, redirects, canonicals }
}

const call = /connect\(.*sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/

/** Addresses and ports of the `connect` calls of a trace. */
function connectsOf(trace: string): string[] {
  const found = trace.split('\n').flatMap((line) => {
    const [, port, address] = call.exec(line) ?? []
    return port === undefined ? [] : [`${address} ${port}`]
  })
  return [...new Set(found)].sort()
}

test.skipIf(!canTrace)(
  'a whole audit connects to the site and the stores alone, by the system calls',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-connect-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { port, redirects, canonicals } = await startTrapSite(
      Number(new URL(api.databaseUrl).port),
    )
    const workspace = await api.workspace()
    const project = await workspace.project({ domain: 'shop.test' })
    const { key } = await workspace.key({ scopes: ['read', 'write'] })
    const addresses = ['http://shop.test/', ...redirects, ...canonicals, ...traps]
    await api.db.page.createMany({
      data: addresses.map((address, i) => ({
        projectId: project,
        url: `${address.replace('http:', 'https:')}#${i}`,
        address,
        slug: address,
        type: 'other',
        title: '',
        description: '',
      })),
    })

    const file = join(folder, 'trace')
    const worker = await startAuditWorker({
      databaseUrl: api.databaseUrl,
      env: { ALLOW_PRIVATE_HOSTS: `shop.test:80=127.0.0.1:${port}` },
      through: ['strace', '-f', '--seccomp-bpf', '-e', 'trace=connect', '-o', file],
      execArgv: ['--import', new URL('./audit-dns.ts', import.meta.url).href],
    })
    onTestFinished(() => worker.kill())
    const reply = await fetch(`${api.url}/api/mcp/projects/${project}/audits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(reply.status).toBe(202)
    const where = { projectId: project }
    await until(async () => {
      const { status } = await api.db.audit.findFirstOrThrow({ where })
      return status === 'completed'
    }, 200_000)
    await worker.kill()

    const stores = [api.databaseUrl, inject('clickhouseUrl')].map((url) => {
      const { hostname, port: storePort } = new URL(url)
      return `${hostname} ${storePort}`
    })
    const connects = connectsOf(await readFile(file, 'utf8'))
    expect(connects).toEqual(expect.arrayContaining([`127.0.0.1 ${port}`, ...stores]))
    // The public address that the rebinding name had at the first look may be tried.
    const expected = new Set([`127.0.0.1 ${port}`, ...stores, '3ffe::1 80'])
    expect(connects.filter((each) => !expected.has(each))).toEqual([])

    const pages = await api.db.auditPage.findMany({ where: { audit: where } })
    const outcomes = new Map(
      pages.map(({ address, reading }) => [
        address,
        (reading as { reading: { outcome: { kind: string; reason?: string } } }).reading.outcome,
      ]),
    )
    expect(outcomes.get('http://shop.test/')?.kind).toBe('read')
    expect(outcomes.get('https://rebind.shop.test/b')).toMatchObject({
      kind: 'skipped',
      reason: 'private_address',
    })
    const read = [...outcomes].filter(([, { kind }]) => kind === 'read')
    const sound = ['http://shop.test/', ...canonicals]
    expect(read.map(([address]) => address).sort()).toEqual(sound.sort())
    // Canonicals of own names were looked at, and refused.
    const targets = await api.db.auditTarget.findMany({ where: { audit: where } })
    const outcomeOf = (address: string) => targets.find((each) => each.address === address)?.outcome
    for (const own of ['http://inner.shop.test/', 'http://mixed.shop.test/']) {
      expect(outcomeOf(own)).toMatchObject({
        outcome: { kind: 'skipped', reason: 'private_address' },
      })
    }

    // The same trace with one connection more, as an audit without a guard would make.
    const doctored =
      '9 connect(7, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("169.254.169.254")}, 16) = 0'
    expect(connectsOf(doctored)).toEqual(['169.254.169.254 80'])
  },
)
