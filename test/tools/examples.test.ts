import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compile, linkPackages, runProgram } from '../kit/programs.ts'
import { root } from '../kit/repository.ts'

test.each(['client', 'graphql', 'live'])('examples/%s compiles under strict', async (name) => {
  const flags = [
    '--noEmit',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ]
  // An install without its scripts has no `examples/client/schema.ts`.
  expect(await runProgram(['codegen/examples.ts'])).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await compile(join(root, 'examples', name), [...flags, 'main.ts'])
  expect([code, stdout]).toEqual([0, ''])
})

test('the client of docs/rest.md has the types of what it reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  linkPackages(folder)
  expect(await runProgram(['codegen/examples.ts'])).toMatchObject({ code: 0, stderr: '' })
  await copyFile(join(root, 'examples/client/schema.ts'), join(folder, 'sightline.ts'))
  const page = await readFile(join(root, 'docs/rest.md'), 'utf8')
  const [, shown = ''] = /```ts\n(import createClient.*?)```/s.exec(page) ?? []
  const reads = `declare const projectId: string
const domain: string | undefined = data?.sources[0]?.domain
const code: string | undefined = error?.code
process.stdout.write(`
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'main.ts'), `${shown}${reads}\`\${domain} \${code}\`)\n`)
  const flags = ['--noEmit', '--module', 'nodenext', '--allowImportingTsExtensions']
  const { code, stdout } = await compile(folder, [...flags, '--skipLibCheck', 'main.ts'])
  expect([code, stdout]).toEqual([0, ''])
})
