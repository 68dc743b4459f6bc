import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { areasOf, lackingParts } from '../kit/areas.ts'
import { emptyFolder, root } from '../kit/repository.ts'

const whole: Record<string, string> = {
  'resolvers/sources.ts': '',
  'resolvers/sources.sql.ts': '',
  'resolvers/sources-walk.ts': '',
  'resolvers/setup.ts': '',
  'resolvers/shared/filters.ts': '',
  'schema/sources.ts': "report('sourceDomains', {})",
  'schema/visibility-lists.ts': "report('visibility', {})",
  'schema/visibility.ts': '',
  'resolvers/visibility.ts': '',
  'test/sources.test.ts': '',
  'test/visibility.test.ts': '',
  'rest/routes.ts': "[{ field: 'sourceDomains' }, { path: '/visibility', field: 'visibility' }]",
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

describe('one stem', () => {
  test('every area has its schema, resolver, routes and test under the same word', () => {
    expect(areasOf(root)).toEqual(expect.arrayContaining(['projects', 'sources']))
    expect(lackingParts(root)).toEqual([])
  })

  test('an area is a stem in resolvers/, not a part of one, nor what all share', () => {
    expect(areasOf(repository([]))).toEqual(['sources', 'visibility'])
  })

  test('a repository where nothing lacks passes', () => {
    expect(lackingParts(repository([]))).toEqual([])
  })

  test.each(['schema/sources.ts', 'resolvers/sources.ts', 'test/sources.test.ts'])(
    'an area without %s is told',
    (path) => {
      expect(lackingParts(repository([path]))).toContain(path)
    },
  )

  test('an area that no route leads to is told', () => {
    const routes = { 'rest/routes.ts': "[{ path: '/visibility', field: 'sourceDomains' }]" }
    expect(lackingParts(repository([], routes))).toEqual(['rest/routes.ts: no route of visibility'])
  })

  test('a route to a field of another area does not count', () => {
    const schema = { 'schema/visibility-lists.ts': "report('rankings', {})" }
    expect(lackingParts(repository([], schema))).toEqual(['rest/routes.ts: no route of visibility'])
  })
})
