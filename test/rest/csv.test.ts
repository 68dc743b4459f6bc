import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unhardened } from '../../core/csv-cell.ts'
import { csvOf } from '../../rest/handler/csv.ts'
import { parseCsv } from '../kit/rest/rfc4180.ts'

const mark = '\u{FEFF}'

/** The records of an export without its byte-order mark, on which two readers agree. */
function recordsOf(columns: readonly string[], rows: readonly Record<string, unknown>[]) {
  const text = csvOf(columns, rows)
  expect(text.startsWith(mark)).toBe(true)
  const records = parseCsv(text.slice(1))
  expect(parse(text, { bom: true, record_delimiter: '\r\n' })).toEqual(records)
  return records
}

/** What one value becomes in its cell, read back. */
function cellOf(value: unknown): string | undefined {
  return recordsOf(['a', 'b'], [{ a: value, b: 'end' }])[1]?.[0]
}

describe('a CSV export', () => {
  test('is a byte-order mark, the columns, a record a row, each ended by CRLF', () => {
    const rows = [
      { domain: 'sony.com', citations: 3 },
      { domain: 'bose.com', citations: 1 },
    ]
    expect(csvOf(['domain', 'citations'], rows)).toBe(
      `${mark}domain,citations\r\nsony.com,3\r\nbose.com,1\r\n`,
    )
  })

  test('begins with the three bytes of the mark in UTF-8, once', () => {
    const bytes = Buffer.from(csvOf(['a'], [{ a: 'é' }]))
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(bytes.toString().lastIndexOf(mark)).toBe(0)
  })

  test('without rows is the columns alone', () => {
    expect(csvOf(['domain', 'citations'], [])).toBe(`${mark}domain,citations\r\n`)
  })

  test('keeps the order of the columns, whatever the order of the keys, and drops other keys', () => {
    const rows = [{ other: 9, b: 2, a: 1 }]
    expect(recordsOf(['a', 'b'], rows)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('quotes what holds a comma or a quote, and doubles the quote', () => {
    expect(csvOf(['a', 'b'], [{ a: 'Best, ever', b: 'the "best"' }])).toBe(
      `${mark}a,b\r\n"Best, ever","the ""best"""\r\n`,
    )
  })

  test.each(['one\r\ntwo', 'one\rtwo', 'one\ntwo', 'end\r', 'end\n'])(
    'quotes a cell with CR or LF, a lone one too: %j',
    (value) => {
      expect(csvOf(['a'], [{ a: value }])).toBe(`${mark}a\r\n"${value}"\r\n`)
    },
  )
})

describe('a cell', () => {
  test('of null or of a missing key is empty', () => {
    expect(csvOf(['a', 'b', 'c'], [{ a: null, c: undefined }])).toBe(`${mark}a,b,c\r\n,,\r\n`)
  })

  test.each([
    [0, '0'],
    [-1, '-1'],
    [-0.13, '-0.13'],
    [33.33, '33.33'],
    [9_007_199_254_740_991, '9007199254740991'],
    [1e21, '1e+21'],
  ])('of the number %d stays a number: %s', (value, text) => {
    expect(csvOf(['a', 'b'], [{ a: value, b: value }])).toBe(`${mark}a,b\r\n${text},${text}\r\n`)
  })

  test('of true and false is the word', () => {
    expect(cellOf(true)).toBe('true')
    expect(cellOf(false)).toBe('false')
  })

  test.each([
    '=1+1',
    '=HYPERLINK("https://x.example","y")',
    '+1',
    '-1',
    '-',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    '\r\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    "'=1",
    "''+1",
  ])('of a text that a spreadsheet would calculate begins with an apostrophe: %j', (value) => {
    expect(cellOf(value)).toBe(`'${value}`)
  })

  test.each(['a=1', '1-2', 'x@y.example', ' =1', "'n' roll", '', '１', 'sony.com'])(
    'of any other text stays as it is: %j',
    (value) => {
      expect(cellOf(value)).toBe(value)
    },
  )

  test('of a list or an object is minified JSON', () => {
    expect(cellOf(['chatgpt', '=1'])).toBe('["chatgpt","=1"]')
    expect(cellOf([])).toBe('[]')
    expect(cellOf([{ id: 1, name: 'a, "b"\n' }])).toBe('[{"id":1,"name":"a, \\"b\\"\\n"}]')
  })
})

describe('any rows at all', () => {
  const unruly = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        '"',
        ',',
        '\r',
        '\n',
        '=',
        '+',
        '-',
        '@',
        '＝',
        '\t',
        "'",
        ';',
        mark,
        'a',
        '1',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const value = fc.oneof(unruly, number, fc.integer(), fc.boolean(), fc.constant(null))
  const table = fc.array(fc.record({ a: value, b: value, c: value }), { maxLength: 8 })

  test('come back from a strict reader: texts without what hardened them, numbers exact', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const [header, ...records] = recordsOf(['a', 'b', 'c'], rows)
        expect(header).toEqual(['a', 'b', 'c'])
        expect(records).toHaveLength(rows.length)
        for (const [i, row] of rows.entries()) {
          for (const [j, given] of [row.a, row.b, row.c].entries()) {
            const read = records[i]?.[j]
            if (typeof given === 'number') expect(Number(read)).toBe(given)
            else expect(unhardened(read ?? '')).toBe(String(given ?? ''))
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('hold no text that a spreadsheet would calculate', () => {
    fc.assert(
      fc.property(fc.array(unruly, { minLength: 2, maxLength: 5 }), (texts) => {
        const columns = texts.map((_, i) => `column ${i}`)
        const row = Object.fromEntries(texts.map((text, i) => [`column ${i}`, text]))
        for (const read of recordsOf(columns, [row])[1] ?? [])
          expect(read).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the strict reader refuses', () => {
  test.each(['a,b\nc,d\n', 'a"b,c\r\n', '"a"b\r\n', '"a\r\n', 'a\rb\r\n', 'a\r'])('%j', (text) => {
    expect(() => parseCsv(text)).toThrow(/not CSV/)
  })

  test('nothing that the grammar allows', () => {
    expect(parseCsv('a,"b ""c"", d"\r\n,\r\n"x\ny",')).toEqual([
      ['a', 'b "c", d'],
      ['', ''],
      ['x\ny', ''],
    ])
  })
})
