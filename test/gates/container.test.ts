import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../core/settings.ts'
import { root } from '../kit/repository.ts'

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The instructions of a Dockerfile, with continued lines joined. */
const instructions = textOf('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return { name, rest: rest.trim() }
  })
const restsOf = (name: string) => instructions.filter((it) => it.name === name).map((it) => it.rest)

const env = Object.fromEntries(
  restsOf('ENV')
    .flatMap((rest) => rest.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
)

type Service = Record<string, unknown> & { environment: Record<string, string> }
interface Compose {
  services: { sightline: Service } & Record<string, Service>
  volumes: Record<string, unknown>
}
const compose: Compose = parse(textOf('compose.yaml'))
const stores: Compose = parse(
  textOf('compose.stores.yaml').replaceAll(/\$\{\w+:\?[^}]*\}/g, 'word'),
)
const service = compose.services.sightline

describe('the image', () => {
  test('runs `sightline serve` of this repository by a user without rights', () => {
    const [command = '[]'] = restsOf('CMD')
    const [program, file = '', ...rest] = JSON.parse(command)
    expect([program, ...rest]).toEqual(['node', 'serve'])
    expect(existsSync(join(root, file))).toBe(true)
    expect(instructions.findLast(({ name }) => name === 'USER')?.rest).toBe('node')
    expect(instructions.at(-1)?.name).toBe('CMD')
  })

  test('needs the Node.js that the package needs', () => {
    const [from = ''] = restsOf('FROM')
    const { optionalDependencies } = JSON.parse(textOf('install/package.json'))
    const versions = Object.values(optionalDependencies).map((version) => String(version))
    expect(new Set(versions).size).toBe(1)
    expect(from.replace(/^node:(\d+).*$/, '$1')).toBe(versions[0]?.replace(/[.].*$/, ''))
    for (const file of ['cli/sightline.js', 'install/node.js']) {
      expect(textOf(file)).toMatch(new RegExp(`^const needed = ${versions[0]?.slice(0, 2)}$`, 'im'))
    }
  })

  test('installs no tools that only write generated files, and none that build the dashboard', () => {
    const { packages } = JSON.parse(textOf('package-lock.json'))
    const installed = Object.entries<{ dev?: boolean; name?: string }>(packages)
      .filter(([, { dev }]) => !dev)
      .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''))
    expect(installed).toContain('@prisma/client')
    const tools = ['prisma', '@prisma/dev', '@prisma/studio-core', '@prisma/engines']
    const ofTheDashboard = ['vite', 'rolldown', 'lightningcss', 'react', 'react-dom']
    expect(installed.filter((name) => [...tools, ...ofTheDashboard].includes(name))).toEqual([])
  })

  test('has valid settings, opens their ports, and keeps its data in its volume', () => {
    const settings = readSettings(env)
    expect(settings.HOST).toBe('0.0.0.0')
    expect(restsOf('EXPOSE')).toEqual([`${settings.PORT} ${settings.TRACKER_PORT}`])
    expect(settings.DATA_DIR.startsWith(`${restsOf('VOLUME')[0]}/`)).toBe(true)
    expect(restsOf('HEALTHCHECK')[0]).toContain(`http://127.0.0.1:${settings.PORT}/readyz`)
  })
})

describe('the composition', () => {
  test('has valid settings, and mounts the volume of the image', () => {
    const { PORT, TRACKER_PORT } = readSettings({ ...env, ...service.environment })
    expect(service.ports).toEqual([PORT, TRACKER_PORT].map((port) => `127.0.0.1:${port}:${port}`))
    expect(service.volumes).toEqual([`${Object.keys(compose.volumes)[0]}:${restsOf('VOLUME')[0]}`])
  })

  test('takes every right that the service does not need', () => {
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test('with stores of their own has valid settings, which lead to services that it waits for', () => {
    const { sightline, ...others } = stores.services
    const settings = readSettings({ ...env, ...service.environment, ...sightline.environment })
    const { DATABASE_URL = '', CLICKHOUSE_URL, REDIS_URL = '' } = settings
    const hosts = [DATABASE_URL, String(CLICKHOUSE_URL), REDIS_URL].map(
      (url) => new URL(url).hostname,
    )
    expect(hosts).toEqual(Object.keys(others))
    expect(sightline.depends_on).toEqual(
      Object.fromEntries(hosts.map((host) => [host, { condition: 'service_healthy' }])),
    )
    for (const { image, healthcheck, volumes = [] } of Object.values(others)) {
      // A version is pinned, and a volume is declared.
      expect(image).toMatch(/^[\w/-]+:\d[\w.-]*$/)
      expect(healthcheck).toBeDefined()
      for (const volume of volumes as string[]) {
        expect(Object.keys(stores.volumes)).toContain(volume.split(':')[0])
      }
    }
  })
})
