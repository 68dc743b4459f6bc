import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownPath } from '../../web/redirect.ts'
import { ourFiles, root } from '../kit/repository.ts'

const base = 'http://127.0.0.1:4000'

test.each([
  ['/projects/1/overview?days=7&to=//x', '/projects/1/overview?days=7&to=//x'],
  [`${base}/graphql`, '/graphql'],
  ['graphql', '/graphql'],
  ['', '/'],
  // Of another origin.
  ['//evil.test/x', '/'],
  ['https://evil.test/', '/'],
  ['/\\evil.test', '/'],
  ['javascript:alert(1)', '/'],
  ['http://127.0.0.1:4000@evil.test/', '/'],
  ['http://127.0.0.1:4001/', '/'],
  // Of this origin, with a path that a browser would take for a host.
  [`${base}//evil.test/`, '/evil.test/'],
  [`${base}/\\evil.test/`, '/evil.test/'],
  ['/.//evil.test/', '/evil.test/'],
  ['/%2e//evil.test/', '/evil.test/'],
  ['/sign-in/../..//evil.test', '/evil.test'],
  [`blob:${base}//evil.test`, '/http://127.0.0.1:4000//evil.test'],
  ['/?next=\\\\evil.test', '/?next=%5C%5Cevil.test'],
])('the target %j becomes %j', (target, path) => {
  expect(ownPath(target, base)).toBe(path)
})

test('no target leads to another host, whatever slashes, dots and hosts it is made of', () => {
  const starts = ['', base, `${base.replace('//', '//user@')}`, 'http:', 'HTTP://', 'blob:', ' ']
  const parts = ['', '/', '//', '\\', '/\\', '/.', '/..', '%2e', '%2f', '%5c', '\t', '\r\n', 'a']
  const targets = starts.flatMap((start) =>
    parts.flatMap((one) =>
      parts.flatMap((two) =>
        parts.flatMap((three) => `${start}${one}${two}${three}evil.test/?q=\\#h`),
      ),
    ),
  )
  const leading = targets.filter((target) => {
    const path = ownPath(target, base)
    const isOwn = new URL(path, base).origin === base && /^\/(?![/\\])[^\\\r\n\t]*$/.test(path)
    return !isOwn || ownPath(path) !== path
  })
  expect(targets.length).toBe(7 * 13 ** 3)
  expect(leading).toEqual([])
})

test('every `Location` is a path of this service, but that of the provider of sign-ins', () => {
  const served = /^(server\.ts|(web|rest|plugins|ingest\/endpoint|cli\/service)\/.*\.ts)$/
  const files = ourFiles().filter((path) => served.test(path))
  const senders = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/['" ]location['"]?[:,].*/gi)].map(
      ([line]) => `${file}:${line}`,
    ),
  )
  expect(senders).toEqual([
    'web/redirect.ts: Location: ownPath(path) }).end()',
    "web/share/serve.ts: Location: ownPath(path), 'Set-Cookie': cookie })",
    "web/sign-in/serve.ts: Location: url.href, 'Set-Cookie': cookie }).end()",
  ])
})
