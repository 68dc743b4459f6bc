import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { lockWithAddresses } from '../../codegen/lock.ts'
import { root } from '../kit/repository.ts'

const execute = promisify(execFile)

/** Runs npm without the settings of an npm around the tests. */
const npm = (cwd: string, ...args: string[]) =>
  execute('npm', args, { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME } })

const lockOf = (packages: object) =>
  `${JSON.stringify({ name: 'app', lockfileVersion: 3, packages }, null, 2)}\n`

test('each package of a registry gets its address, where npm writes it', () => {
  const before = lockOf({
    '': { name: 'app', dependencies: { a: '^1.0.0' } },
    'node_modules/a': { version: '1.2.3', integrity: 'sha512-a', license: 'MIT' },
    'node_modules/a/node_modules/@s/b': { version: '2.0.0-rc.1', integrity: 'sha512-b' },
    'node_modules/alias': {
      name: 'c',
      version: '3.0.0',
      resolved: 'https://registry.example/c.tgz',
      integrity: 'sha512-c',
    },
    'node_modules/@app/part': { resolved: 'part', link: true },
    'node_modules/for-a-mac': { version: '4.0.0', os: ['darwin'] },
  })
  const after = lockWithAddresses(before)
  expect(after).toBe(
    lockOf({
      '': { name: 'app', dependencies: { a: '^1.0.0' } },
      'node_modules/a': {
        version: '1.2.3',
        resolved: 'https://packages.invalid/a/-/a-1.2.3.tgz',
        integrity: 'sha512-a',
        license: 'MIT',
      },
      'node_modules/a/node_modules/@s/b': {
        version: '2.0.0-rc.1',
        resolved: 'https://packages.invalid/@s/b/-/b-2.0.0-rc.1.tgz',
        integrity: 'sha512-b',
      },
      'node_modules/alias': {
        name: 'c',
        version: '3.0.0',
        resolved: 'https://packages.invalid/c/-/c-3.0.0.tgz',
        integrity: 'sha512-c',
      },
      'node_modules/@app/part': { resolved: 'part', link: true },
      'node_modules/for-a-mac': { version: '4.0.0', os: ['darwin'] },
    }),
  )
  expect(lockWithAddresses(after)).toBe(after)
})

test('`npm ci` asks the registry that it is set to, for nothing but the package', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-lock-'))
  const asked: string[] = []
  const packed = join(folder, 'small-1.0.0.tgz')
  const registry = createServer(async (request, response) => {
    asked.push(request.url ?? '')
    response.end(await readFile(packed))
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  try {
    const small = join(folder, 'small')
    await mkdir(small)
    await writeFile(join(small, 'package.json'), '{ "name": "small", "version": "1.0.0" }')
    await npm(folder, 'pack', small)
    const integrity = `sha512-${createHash('sha512')
      .update(await readFile(packed))
      .digest('base64')}`
    const app = join(folder, 'app')
    await mkdir(app)
    const dependencies = { small: '1.0.0' }
    await writeFile(join(app, 'package.json'), JSON.stringify({ name: 'app', dependencies }))
    const packages = {
      '': { name: 'app', dependencies },
      'node_modules/small': { version: '1.0.0', integrity },
    }
    await writeFile(join(app, 'package-lock.json'), lockWithAddresses(lockOf(packages)))
    await cp(join(root, '.npmrc'), join(app, '.npmrc'))
    const { port } = registry.address() as AddressInfo
    const place = [
      `--registry=http://127.0.0.1:${port}/mirror/`,
      `--cache=${join(folder, 'cache')}`,
    ]
    await npm(app, 'ci', ...place)
    expect(asked).toEqual(['/mirror/small/-/small-1.0.0.tgz'])
    const installed = await readFile(join(app, 'node_modules/small/package.json'), 'utf8')
    expect(JSON.parse(installed).version).toBe('1.0.0')
  } finally {
    registry.close()
    await rm(folder, { recursive: true, force: true })
  }
})
