import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ourFiles, root } from '../kit/repository.ts'
import { deadLinks } from './links.ts'

test('every link between our pages leads to a file, and to a heading of it', () => {
  const files = ourFiles()
  const folders = files.flatMap((path) =>
    path.split('/').map((_, i, all) => all.slice(0, i).join('/')),
  )
  const known = new Set([...files, ...folders])
  const pages = files
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  expect(pages.map(({ path }) => path)).toContain('docs/importing.md')
  const mend = 'correct the path, or the anchor: a heading in lower case, spaces as hyphens'
  expect(
    deadLinks(pages, (path) => known.has(path)),
    mend,
  ).toEqual([])
})

test('a link without its file or its heading is found', () => {
  const pages = [
    {
      path: 'docs/a.md',
      text: [
        '# The `days`, and [more](b.md)',
        '[good](b.md) [good](../README.md#say) [good](#the-days-and-more) [good](https://a.b/c)',
        '`[code](c.md)` [lost](c.md), `x` and ![`lost`](images/x.png)',
        '```md',
        '[in code](c.md)',
        '```',
        '[no heading](b.md#nothing) [nor here](#nothing)',
      ].join('\n'),
    },
    {
      path: 'docs/b.md',
      text: '## Two\n\n## <a id="2_B"></a>Two\n\n[second](#two-1) [same](#2_B) [third](#two-2)',
    },
    { path: 'README.md', text: '# Say\n[folder](docs/) [file](docs/a.md)' },
  ]
  const known = new Set(['docs', ...pages.map(({ path }) => path)])
  expect(deadLinks(pages, (path) => known.has(path))).toEqual([
    'docs/a.md:3: c.md',
    'docs/a.md:3: images/x.png',
    'docs/a.md:7: b.md#nothing',
    'docs/a.md:7: #nothing',
    'docs/b.md:5: #two-2',
  ])
})
