import type { Random } from './random.ts'

/** What the requests of a fuzz know: ids of the own project, and those of a stranger's. */
export interface Known {
  readonly own: Readonly<Record<string, string>>
  readonly foreign: Readonly<Record<string, string>>
}

/** A piece of JSON that `JSON.stringify` would never write, as text. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const long = 5000

const texts = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\u001b[31m',
  '\u0085',
  '\ufeff',
  '\uffff',
  '\u2028',
  '\ud800',
  'x\udfff',
  '\udc00\ud800',
  '\u200b',
  'a\u200d\u200bb',
  '\u202egnp.exe',
  '\u0627\u0644',
  'e\u0301'.repeat(40),
  `Z${'\u0310'.repeat(300)}`,
  '\u{1f600}'.repeat(300),
  '\ufdfa',
  '\u0130\u0131\u1e9e',
  '\uff21',
  `' OR 1=1 --`,
  `'; DROP TABLE "Prompt"; --`,
  `\\'; SELECT 1`,
  `it\\'s`,
  '\\',
  '\\N',
  '`',
  '%',
  '_',
  '%%',
  '{id:UUID}',
  '$1',
  '?',
  '$'.concat('{7*7}'),
  '{{7*7}}',
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '=1+1',
  '+cmd|x',
  '../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%ff',
  '%zz',
  'C:\\x',
  '//x',
  '/',
  '.',
  '..',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$where',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '-0',
  '1.5',
  '1e3',
  '1e309',
  '0x10',
  '٣',
  '99999999999999999999',
  'true',
  'yes',
  '2025-13-40',
  '2025-02-30',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '-2025-01-01',
  '2025-05-10',
  '2025-05-10T12:00:00Z',
  '2025-05-10T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '1e400-01-01',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  'ffffffffffffffffffffffffffffffff',
  'eyJhIjoxfQ',
  'bm90IGEgY3Vyc29y.AAAA',
  '====',
  'MQ==',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'file:///etc/hosts',
  'javascript:alert(1)',
  'https://u:p@acme.com/',
  'http://',
  'https://acme.com:99999/',
  'xn--',
  `${'a'.repeat(64)}.com`,
  'acme.com.',
  'ACME.COM',
  '*.acme.com',
  'münchen.de',
  ',',
  ',,,',
  'a,b',
  '[]',
  '{}',
  '{"a":1}',
  '[1',
  'DE',
  'XX',
  'de,zz',
  'W/"1"',
  '"1"',
  '*',
  '1',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(long),
  'é'.repeat(long),
  'a b '.repeat(long / 4),
]

const numbers = [
  0,
  -1,
  1,
  1.5,
  2,
  7,
  50,
  365,
  366,
  1000,
  1001,
  10_000,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  1e-7,
]

const raws = [
  '1e999',
  '-1e999',
  '-0',
  '1E400',
  '0.1e-999',
  '123456789012345678901234567890',
  '{"__proto__":{"x":1}}',
  '{"a":1,"a":2}',
  '"\\u0000"',
  '"\\ud800"',
  '{"constructor":{"prototype":{}}}',
  // These are no JSON at all.
  'NaN',
  'undefined',
  '01',
  "'x'",
  '"\\x"',
  '"\u0001"',
  '[1,]',
  '',
]

/** A text that nobody means, or that means harm. */
export function hostileText(random: Random): string {
  if (random.chance(0.85)) return random.pick(texts)
  const units = random.some(40, () =>
    String.fromCharCode(random.below(random.chance(0.5) ? 256 : 65_536)),
  )
  return units.join('')
}

export function hostileNumber(random: Random): number {
  if (random.chance(0.8)) return random.pick(numbers)
  return (random.next() - 0.5) * 10 ** random.below(20)
}

function nested(depth: number, isList: boolean): RawJson {
  const [open, close] = isList ? ['[', ']'] : ['{"a":', '}']
  return new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`)
}

/** Any value, of any type. */
export function hostile(random: Random, { own, foreign }: Known, depth = 2): unknown {
  const inner = () => hostile(random, { own, foreign }, depth - 1)
  const kind = random.below(depth > 0 ? 20 : 14)
  if (kind < 6) return hostileText(random)
  if (kind < 9) return hostileNumber(random)
  if (kind === 9) return null
  if (kind === 10) return random.chance(0.5)
  if (kind === 11) return random.pick(Object.values(random.chance(0.5) ? own : foreign))
  if (kind === 12) return random.chance(0.5) ? [] : {}
  if (kind === 13) return new RawJson(random.pick(raws))
  if (kind < 17) return random.some(4, inner)
  if (kind < 19) return Object.fromEntries(random.some(4, () => [hostileText(random), inner()]))
  if (random.chance(0.7)) return nested(random.pick([3, 20, 200, 2000]), random.chance(0.5))
  return Array.from({ length: random.pick([100, 1001, 6000]) }, () => 1)
}

/** The value as JSON, with the pieces that are no values of JavaScript. */
export function jsonOf(value: unknown): string {
  const pieces: string[] = []
  const mark = 'RAW-PIECE-'
  const text = JSON.stringify(value, (_key, item: unknown) =>
    item instanceof RawJson ? `${mark}${pieces.push(item.text) - 1}` : item,
  )
  return (text ?? '').replaceAll(
    new RegExp(`"${mark}(\\d+)"`, 'g'),
    (_all, at: string) => pieces[Number(at)] ?? '',
  )
}

/** A text in a path or a query: percent-encoded, with the bytes of half a pair too. */
export function encoded(text: string): string {
  return Array.from(text, (character) =>
    character.isWellFormed()
      ? encodeURIComponent(character)
      : [
          ...Buffer.from([
            0xe0 | (character.charCodeAt(0) >> 12),
            0x80 | ((character.charCodeAt(0) >> 6) & 63),
            0x80 | (character.charCodeAt(0) & 63),
          ]),
        ]
          .map((byte) => `%${byte.toString(16)}`)
          .join(''),
  ).join('')
}

/** Pieces of an address that no client writes, each of visible ASCII. */
export const brokenAddress = [
  '%',
  '%zz',
  '%c3%28',
  '%ff%fe',
  '%00',
  '%2e%2e%2f',
  '%',
  '&&',
  '=&=',
  '?',
  ';',
  '#',
  '+',
  '[]',
  '[a]=1',
  '|',
  '"',
  '<',
  '\\',
]
