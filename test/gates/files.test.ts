import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { crowdedFolders, foreignWords, mostLines, tooLong } from '../kit/gates/file-rules.ts'
import { ourFiles, root } from '../kit/repository.ts'

const files = ourFiles().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const lines = (count: number) => 'x\n'.repeat(count)

test('the gates see the files of every layer', () => {
  const layers = [
    'core',
    'prisma',
    'warehouse',
    'resolvers',
    'imports',
    'schema',
    'plugins',
    'demo',
  ]
  const folders = new Set(files.map(({ path }) => path.split('/')[0]))
  expect(
    [...layers, 'rest', 'cli', 'test', 'package.json'].filter((name) => !folders.has(name)),
  ).toEqual([])
})

describe('the length of a file', () => {
  test('of ours is 300 lines at most, of a test 400', () => {
    const mend = 'split it at a seam that has a name of its own'
    expect(
      files.flatMap(({ path, text }) => tooLong(path, text) ?? []),
      mend,
    ).toEqual([])
  })

  test('of 300 lines passes, of 301 does not', () => {
    expect(tooLong('core/pagination.ts', lines(300))).toBeUndefined()
    expect(tooLong('core/pagination.ts', lines(301))).toBe(
      'core/pagination.ts: 301 lines, 300 at most',
    )
    expect(tooLong('test/kit/api.ts', lines(301))).toBeDefined()
    expect(tooLong('warehouse/migrations/0009_all.sql', lines(301))).toBeDefined()
  })

  test('of 400 lines passes in a test, of 401 does not', () => {
    expect(tooLong('test/sources/sources.test.ts', lines(400))).toBeUndefined()
    expect(tooLong('test/sources/sources.test.ts', lines(401))).toBeDefined()
  })

  test.each([
    'rest/routes.ts',
    'core/errors.ts',
    'core/data/source-registry.ts',
    'web/examples.ts',
    'web/site-examples.ts',
    'prisma/generated/models/Project.ts',
    'prisma/pothos.ts',
    'prisma/migrations/20261120135038_catalog/migration.sql',
    'schema/schema.graphql',
    'package-lock.json',
  ])('does not count in %s', (path) => {
    expect(mostLines(path)).toBeUndefined()
  })
})

describe('the files of a folder', () => {
  const files = (count: number, folder: string) =>
    Array.from({ length: count }, (_, i) => `${folder}/file-${i}.ts`)

  test('are 25 at most, beside its folders', () => {
    const mend = 'give a group of them a folder with a name of its own'
    expect(crowdedFolders(ourFiles()), mend).toEqual([])
  })

  test('25 pass, 26 do not; folders inside do not count', () => {
    expect(crowdedFolders([...files(25, 'core'), ...files(25, 'core/text')])).toEqual([])
    expect(crowdedFolders([...files(26, 'core'), ...files(2, 'core/text')])).toEqual([
      'core: 26 files, 25 at most',
    ])
    expect(crowdedFolders(files(26, 'prisma/generated/models'))).toEqual([])
  })
})

describe('words of the workplace', () => {
  test('stand in no file of ours', () => {
    const mend = 'say it in the words of the product'
    expect(
      files.flatMap(({ path, text }) => foreignWords(path, text)),
      mend,
    ).toEqual([])
  })

  // Written in two halves, so that this file does not fall to its own gate.
  test.each([
    ['https://registry', '.npmjs.org/graphql'],
    ['see /wo', 'rk/main/core'],
    ["read('/wo", "rk/data')"],
    ['/tmp/br', 'ief.md'],
    ['as ../shared/con', 'tract/metrics.md says'],
    ['shared/sty', 'le.md'],
    ['done in iss', 'ue 2'],
    ['fixes Iss', 'ue #41'],
  ])('%s%s is found in a document', (one, two) => {
    expect(foreignWords('docs/adr/0001.md', `# Title\n${one}${two}`)).toEqual([
      expect.stringMatching(/^docs\/adr\/0001\.md:2: /),
    ])
  })

  test.each([
    "import { ids } from './shared/ids.ts'",
    'https://example.com/work/',
    './network/work/x',
    'an issue of the page, 2 open issues, issues[{id}]',
    'frameworks/working',
  ])('%s is no such word', (text) => {
    expect(foreignWords('docs/adr/0001.md', text)).toEqual([])
  })

  test('of the data may stand in a test that reads it', () => {
    expect(foreignWords('test/real-answers.test.ts', '../../../shared/data/answers.jsonl')).toEqual(
      [],
    )
  })
})
