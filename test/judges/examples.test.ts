import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile, runProgram } from '../kit/programs.ts'
import { root } from '../kit/repository.ts'

test.each(['client', 'graphql', 'live'])('examples/%s compiles under strict', async (name) => {
  const flags = [
    '--noEmit',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  ]
  // A fresh clone has no `examples/client/schema.ts`.
  expect(await runProgram(['codegen-examples.ts'])).toMatchObject({ code: 0, stderr: '' })
  const { code, stdout } = await compile(join(root, 'examples', name), [...flags, 'main.ts'])
  expect([code, stdout]).toEqual([0, ''])
})
