import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bind, literal, quote, undoEscapes } from '../../warehouse/chdb/literals.ts'
import { readStatement, splitStatements } from '../../warehouse/chdb/statement.ts'
import { parseRows } from '../../warehouse/rows.ts'
import { sized } from '../kit/soak.ts'

const bound = (sql: string, params: Record<string, string>) =>
  bind(readStatement(sql), new Map(Object.entries(params)))

const code = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return (error as { code: number }).code
  }
  return undefined
}

/** Strings made of what ends, escapes or opens something in SQL. */
const nasty = fc.string({
  unit: fc.constantFrom(
    ...'\'\\"`{}:;-/*#$?%_[],()NU \n\r\t\0\b\fx0az',
    '\uFEFF',
    '\u2028',
    '😀',
    '‘',
    '’',
  ),
})
const anyText = fc.oneof(nasty, fc.string({ unit: 'binary' }))

/** A value as clients write it. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')

describe('a placeholder', () => {
  test('becomes a literal of its type', () => {
    expect(bound('SELECT {a:String}, {b:UInt8}', { a: "it\\'s", b: '7' })).toBe(
      "SELECT  'it\\'s' ,  _CAST('7','UInt8') ",
    )
  })

  test.each([
    ["'{a:String}'", 'a string'],
    ["'it\\'s {a:String}'", 'a string with an escaped quote'],
    ["'it''s {a:String}'", 'a string with a doubled quote'],
    ['"{a:String}"', 'a quoted name'],
    ['`{a:String}`', 'a name in backticks'],
    ['‘{a:String}’', 'a string in typographic quotes'],
    ['1 -- {a:String}', 'a comment to the end of the line'],
    ['1 // {a:String}', 'a comment after slashes'],
    ['1 # {a:String}', 'a comment after a hash'],
    ['1 /* /* */ {a:String} */', 'a nested comment'],
    ['$x$ {a:String} $x$', 'a here-document'],
    ["{'a': 1}", 'a map'],
  ])('is left alone in %s: %s', (sql) => {
    expect(bound(`SELECT ${sql}`, {})).toBe(`SELECT ${sql}`)
  })

  test('stands apart from a quote or a letter beside it', () => {
    expect(bound("SELECT 'a'{a:String}", { a: 'b' })).toBe("SELECT 'a' 'b' ")
    expect(bound('SELECT x{a:String}', { a: '41' })).toBe("SELECT x '41' ")
  })

  test('without a value is error 456', () => {
    expect(code(() => bound('SELECT {a:String}', {}))).toBe(456)
  })

  test.each([
    'Identifier',
    'Map(String, String)',
    'Nullable(Array(String))',
    "Array(String) '",
    'x',
  ])('of the type %s is refused', (type) => {
    expect(code(() => literal('a', type, 'x'))).toBe(457)
  })
})

describe('a literal', () => {
  const uuid = '61f0c404-5cb3-11e7-907b-a6006ad3dba0'
  test.each([
    ['UUID', uuid, `_CAST('${uuid}','UUID')`],
    ['Int8', '-128', "_CAST('-128','Int8')"],
    ['UInt64', '18446744073709551615', "_CAST('18446744073709551615','UInt64')"],
    ['Float64', '-1.5e-7', "_CAST('-1.5e-7','Float64')"],
    ['Float64', '+inf', "_CAST('+inf','Float64')"],
    ['Bool', 'true', "_CAST('true','Bool')"],
    ['Date', '2024-02-29', "_CAST('2024-02-29','Date')"],
    ['DateTime', '2024-02-29 23:59:59', "_CAST('2024-02-29 23:59:59','DateTime')"],
    ['DateTime', '1700000000', "_CAST('1700000000','DateTime')"],
    [
      "DateTime64(3, 'UTC')",
      '1700000000.123',
      "_CAST('1700000000.123','DateTime64(3, \\'UTC\\')')",
    ],
    ['Nullable(String)', '\\N', "_CAST(NULL,'Nullable(String)')"],
    ['Nullable(String)', '\\\\N', "_CAST('\\\\N','Nullable(String)')"],
    ['Array(String)', "['a', 'it\\'s']", "['a','it\\'s']"],
    ['Array(String)', '[]', "_CAST([],'Array(String)')"],
    ['Array(UInt8)', '[]', "_CAST([],'Array(UInt8)')"],
    ['Array(UUID)', `['${uuid}']`, `_CAST('[\\'${uuid}\\']','Array(UUID)')`],
    ['Array(UUID)', '[]', "_CAST('[]','Array(UUID)')"],
    ['Array(Nullable(UInt8))', '[1,NULL]', "_CAST(['1',NULL],'Array(Nullable(UInt8))')"],
    ['Array(Array(Bool))', '[[TRUE],[]]', "_CAST([['TRUE'],[]],'Array(Array(Bool))')"],
  ])('of %s %s is %s', (type, text, sql) => {
    expect(literal('a', type, text)).toBe(sql)
  })

  test.each([
    ['UUID', `${'61f0c404-5cb3-11e7-907b-a6006ad3dba0'}'`],
    ['UUID', ''],
    ['UInt8', '256'],
    ['UInt8', '-1'],
    ['Int8', '-129'],
    ['UInt64', '18446744073709551616'],
    ['UInt32', '1 OR 1'],
    ['UInt32', '1.5'],
    ['UInt32', ''],
    ['Float64', "1'"],
    ['Float64', '1_0'],
    ['Bool', '2'],
    ['Date', '2023-02-29'],
    ['Date', '2024-1-1'],
    ['Date', '2149-06-07'],
    ['DateTime', '2024-01-01 24:00:00'],
    ['DateTime', '2024-01-01T00:00:00Z'],
    ['DateTime', '1700000000.5'],
    ["DateTime64(3, 'UTC')", '2024-01-01 00:00:00.1234'],
    ['String', '\\N'],
    ['String', 'a\tb'],
    ['Array(String)', "['a'"],
    ['Array(String)', "['a',]"],
    ['Array(String)', '[,]'],
    ['Array(String)', "['a']]"],
    ['Array(String)', "['a'] OR 1"],
    ['Array(String)', "['a' 'b']"],
    ['Array(String)', '[a]'],
    ['Array(String)', "[['a']]"],
    ['Array(String)', "['a', NULL]"],
    ['Array(Array(String))', "['a']"],
    ['Array(UInt8)', '[256]'],
    ['Array(UInt8)', '1'],
  ])('of %s refuses %s', (type, text) => {
    expect(code(() => literal('a', type, text))).toBe(457)
  })

  test('of any string is one string token and nothing else', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const sql = literal('a', 'String', escaped(text))
        expect(sql).toMatch(/^'[^'\\]*(?:\\[\s\S][^'\\]*)*'$/)
        expect(undoEscapes(sql.slice(1, -1))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('of any text whatever, escaped or not, leaves the rest of the statement as it is', () => {
    const types = ['String', 'UUID', 'UInt8', 'Float64', 'Date', 'Array(String)', 'Array(UInt8)']
    fc.assert(
      fc.property(anyText, fc.constantFrom(...types), (text, type) => {
        const statement = readStatement(`SELECT {a:${type}} AS a, {b:UInt8} AS b`)
        const params = new Map([
          ['a', text],
          ['b', '1'],
        ])
        let sql: string
        try {
          sql = bind(statement, params)
        } catch {
          return
        }
        const strings = sql.replace(/'[^'\\]*(?:\\[\s\S][^'\\]*)*'/g, 'S')
        expect(strings).toMatch(
          /^SELECT {2}(S|_CAST\((S|\[(S(,S)*)?\]),S\)) {2}AS a, {2}_CAST\(S,S\) {2}AS b$/,
        )
      }),
      { numRuns: 3000 },
    )
  })

  test('of a long string of quotes and backslashes is made', () => {
    const many = sized({ normal: 200_000, soak: 2_000_000 })
    const text = "\\'".repeat(many)
    expect(literal('a', 'String', text)).toBe(quote("'".repeat(many)))
    expect(literal('a', 'Array(String)', `['${text}']`)).toBe(`[${quote("'".repeat(many))}]`)
  })
})

describe('a statement', () => {
  test('is one: a second one is refused, a closing semicolon is not', () => {
    expect(code(() => readStatement('SELECT 1; SELECT 2'))).toBe(62)
    expect(readStatement("SELECT ';' ; -- done\n;").text).toBe("SELECT ';' ")
  })

  test.each(["SELECT 'a", 'SELECT "a', 'SELECT `a', 'SELECT /* a', 'SELECT /* /* */', '  ', ';'])(
    'that is not whole is refused: %s',
    (sql) => {
      expect(code(() => readStatement(sql))).toBe(62)
    },
  )

  test('tells its verb and its FORMAT clause, outside of brackets and quotes only', () => {
    const { verb, format, settingsAfterFormat } = readStatement(
      "/* a */ select (1 FORMAT x), ' FORMAT y' settings a = 1 format JSON settings b = 2",
    )
    expect([verb, format?.name, settingsAfterFormat]).toEqual(['SELECT', 'JSON', true])
  })

  test('of an insert ends where its rows begin', () => {
    const statement = readStatement(`INSERT INTO t FORMAT JSONEachRow {"a": "it's; {x:UInt8}"}`)
    expect(statement.format?.name).toBe('JSONEachRow')
    expect(statement.placeholders).toEqual([])
  })

  test('is cut from a script at semicolons outside of quotes and comments', () => {
    expect(splitStatements("-- a; b\nSELECT ';';\n\nSELECT 2 /* ; */;\n-- end\n")).toEqual([
      "-- a; b\nSELECT ';'",
      'SELECT 2 /* ; */',
    ])
  })
})

describe('rows', () => {
  test('hold integers as numbers, and refuse one that a number cannot hold', () => {
    expect(parseRows('{"a":9007199254740991,"b":"12345678901234567890"}\n')).toEqual([
      { a: 9007199254740991, b: '12345678901234567890' },
    ])
    expect(parseRows('')).toEqual([])
    expect(() => parseRows('{"a":9007199254740993}\n')).toThrow('9007199254740993')
    expect(() => parseRows('{"a":"x\\"","b":[1,-9007199254740993]}\n')).toThrow('too large')
  })
})
