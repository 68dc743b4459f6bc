import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ourFiles, root } from '../kit/repository.ts'
import { foreignWords, uncheckedCasts } from './file-rules.ts'

const files = ourFiles().map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('the gate sees the files of every layer', () => {
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

describe('casts that the compiler does not check', () => {
  test('are few outside of tests, and each says why it is right', () => {
    const casts = files
      .filter(
        ({ path }) => /\.(ts|tsx|js|mjs)$/.test(path) && !/^test\/|\/test\/|\.test\./.test(path),
      )
      .flatMap(({ path, text }) => uncheckedCasts(path, text))
    const mend =
      'use a type of Pothos (`OutputRef`, `MadeField`), a generic helper or `as` alone; or give the reason in a comment above'
    expect(
      casts.filter(({ hasReason }) => !hasReason).map(({ place }) => place),
      mend,
    ).toEqual([])
    expect(casts.length, `${mend}: ${casts.map(({ place }) => place).join(', ')}`).toBeLessThan(20)
  })

  test('are found in a text, with and without a reason', () => {
    const text = ['const a = b as never', '', '', '', '// The table has both.', 'd as unknown as E']
    expect(uncheckedCasts('core/a.ts', text.join('\n'))).toEqual([
      { place: 'core/a.ts:1', hasReason: false },
      { place: 'core/a.ts:6', hasReason: true },
    ])
  })
})
