import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, root } from '../kit/repository.ts'
import { areasOf, lackingParts } from './areas.ts'

const whole: Record<string, string> = {
  'resolvers/shared/filters.ts': '',
  'resolvers/sources/sources.ts': '',
  'resolvers/sources/sources.sql.ts': '',
  'resolvers/usage.ts': '',
  'rest/routes.ts': "[{ field: 'sourceDomains' }, { path: '/usage', field: 'usage' }]",
  'schema/sources/lists.ts': "report('sourceDomains', {})",
  'schema/sources-of-all.ts': "report('usage', {})",
  'schema/usage.ts': "report('usage', {})",
  'test/sources/lists.test.ts': '',
  'test/usage.test.ts': '',
}

/** A repository of two areas, without the files named and with the changed ones. */
function repository(without: readonly string[], changed: Record<string, string> = {}): string {
  const folder = emptyFolder()
  for (const [path, text] of Object.entries({ ...whole, ...changed })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of without) rmSync(join(folder, path))
  return folder
}

const noPathOf = (area: string) =>
  `${area} has no path in REST, whose paths are frozen: add it to \`withoutRoutes\` of test/gates/areas.ts`

describe('one stem', () => {
  test('every area has its schema, resolver, routes and test under the same word', () => {
    expect(areasOf(root)).toEqual(expect.arrayContaining(['projects', 'sources', 'usage']))
    expect(lackingParts(root)).toEqual([])
  })

  test('an area is a folder or a file in resolvers/, except what all areas share', () => {
    expect(areasOf(repository([]))).toEqual(['sources', 'usage'])
  })

  test('a repository where nothing lacks passes', () => {
    expect(lackingParts(repository([]))).toEqual([])
  })

  test.each(['schema/usage.ts', 'schema/sources/lists.ts'])('an area without %s fails', (path) => {
    const area = path.includes('usage') ? 'usage' : 'sources'
    expect(lackingParts(repository([path]))).toEqual([`schema/${area}*`, noPathOf(area)])
  })

  test.each([
    ['test/usage.test.ts', 'test/usage*'],
    ['test/sources/lists.test.ts', 'test/sources*'],
  ])('an area without %s fails', (path, lacking) => {
    expect(lackingParts(repository([path]))).toEqual([lacking])
  })

  test('a folder of resolvers without any file fails', () => {
    const lost = ['resolvers/sources/sources.ts', 'resolvers/sources/sources.sql.ts']
    expect(lackingParts(repository(lost))).toEqual(['resolvers/sources*'])
  })

  test('an area that no route leads to fails', () => {
    const routes = { 'rest/routes.ts': "[{ path: '/usage', field: 'sourceDomains' }]" }
    expect(lackingParts(repository([], routes))).toEqual([noPathOf('usage')])
  })

  test('a route to a field of another area does not count', () => {
    const schema = { 'schema/usage.ts': "report('rankings', {})" }
    expect(lackingParts(repository([], schema))).toEqual([noPathOf('usage')])
  })
})
