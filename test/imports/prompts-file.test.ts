import { beforeEach, describe, expect, test } from 'vitest'
import { useApi } from '../kit/api.ts'
import { importCsv, promptState } from '../kit/imports/prompts.ts'
import { isSoak, sampled, sized } from '../kit/soak.ts'

/** What a CSV file of prompts may look like, and what is wrong with one. */

const api = useApi()
let project = ''

beforeEach(async () => {
  project = await (await api.workspace()).project()
})

const load = (csv: string | Uint8Array) => importCsv(api, project, csv)
const texts = async () => (await promptState(api.db, project)).map(({ text }) => text)
const one = 'Prompt;Search Volume;KD %;Is branded\nwas ist gut, und günstig?;1,200;34%;Y\n'
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

async function expectOne(csv: string | Uint8Array) {
  expect(await load(csv)).toMatchObject({ read: 1, created: 1, rejected: [], ignoredColumns: [] })
  expect(await promptState(api.db, project)).toMatchObject([
    { text: 'was ist gut, und günstig?', volume: 1200, difficulty: 34, branded: true },
  ])
}

describe('one file', () => {
  test.each(
    sampled(
      [
        ['UTF-8', Buffer.from(one)],
        ['UTF-8 with a mark', Buffer.from(`\u{FEFF}${one}`)],
        ['UTF-16 little endian', Buffer.from(`\u{FEFF}${one}`, 'utf16le')],
        ['UTF-16 big endian', bigEndian(`\u{FEFF}${one}`)],
        ['CRLF', one.replaceAll('\n', '\r\n')],
        ['CR', one.replaceAll('\n', '\r')],
        ['no line end at its end', one.trimEnd()],
        ['blank lines', one.replaceAll('\n', '\n\n;;;\n\n')],
        ['tabs', one.replaceAll(';', '\t')],
        [
          'commas',
          one
            .replaceAll(';', '","')
            .replaceAll('\n', '"\n')
            .replaceAll(/^(?=.)/gm, '"'),
        ],
      ],
      5,
    ),
  )('reads the same as %s', (_name, csv) => expectOne(csv))

  test('reads the same byte by byte', async () => {
    async function* bytes() {
      for (const byte of bigEndian(`\u{FEFF}${one}`)) yield Uint8Array.of(byte)
    }
    expect(await importCsv(api, project, bytes())).toMatchObject({ created: 1, rejected: [] })
    expect(await texts()).toEqual(['was ist gut, und günstig?'])
  })
})

describe('columns', () => {
  test.each(
    sampled(['text', 'TEXT', 'Prompt', 'query', 'Keyword', ' Prompt_Text ', '"Search term"'], 2),
  )('of texts may be called %s', async (name) => {
    expect(await load(`${name},other\nhello,1\n`)).toMatchObject({
      created: 1,
      ignoredColumns: ['other'],
    })
  })

  test('may stand in any order; one whose name is better known is read, the other ignored', async () => {
    const csv = 'KD,Keyword,Prompt,Category\n5,shoes,Which shoes?,Sport\n'
    expect(await load(csv)).toMatchObject({ ignoredColumns: ['Keyword'] })
    expect(await promptState(api.db, project)).toMatchObject([
      { text: 'Which shoes?', difficulty: 5, topics: ['0 Sport'] },
    ])
  })

  test('one alone is a list, in which commas need no quotes', async () => {
    expect(await load('prompt\nWhat is good, cheap; and new?\n"quoted, too"\n')).toMatchObject({
      created: 2,
    })
    expect(await texts()).toEqual(['What is good, cheap; and new?', 'quoted, too'])
  })

  test.each(
    sampled(
      [
        ['a,b\n1,2\n', 'has no column "text"'],
        ['', 'has no header'],
        ['\n\n', 'has no header'],
        [',,\n', 'has no header'],
      ],
      2,
    ),
  )('that name no texts refuse the file: %j', async (csv, reason) => {
    await expect(load(csv)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(reason),
    })
  })
})

describe('values of other tools', () => {
  test('a country or a place is a location of the project, once, and stays with its prompt', async () => {
    const csv = 'Search Prompt;Country\nfirst;DE\nsecond;Germany\nthird;Berlin, Germany\nfourth;-\n'
    expect(await load(csv)).toMatchObject({ created: 4, rejected: [], ignoredColumns: [] })
    const found = await api.db.location.findMany({
      where: { projectId: project },
      include: { prompts: { include: { prompt: true } } },
      orderBy: { label: 'desc' },
    })
    const shown = found.map(({ countryCode, city, prompts }) => [
      countryCode,
      city,
      ...prompts.map(({ prompt }) => prompt.text).sort(),
    ])
    expect(shown).toEqual([
      ['DE', 'Berlin', 'third'],
      ['DE', null, 'first', 'second'],
    ])
    expect(await load(csv)).toMatchObject({ created: 0, updated: 0, unchanged: 4 })
    expect(await load('prompt;country\nfourth;DE\n')).toMatchObject({ updated: 1 })
    expect(await load('prompt;country\nfirst;Atlantis\n')).toMatchObject({
      unchanged: 0,
      rejected: [
        { line: 2, reason: expect.stringMatching(/^`country` must be an ISO 3166-1 code/) },
      ],
    })
  })

  test.each(
    sampled(
      [
        ['Low', 100],
        ['very high', 100_000],
        ['Zero', 0],
        ['1K – 10K', 5500],
        ['< 10', 10],
      ],
      2,
    ),
  )('the volume %s is %i', async (volume, searches) => {
    await load(`text;volume\nhello;${volume}\n`)
    expect(await promptState(api.db, project)).toMatchObject([{ volume: searches }])
  })
})

describe('a planted fault', () => {
  const header = 'text,topic,intent,branded,volume,difficulty,tracked'
  test.each(
    sampled(
      [
        [',T,,,,,', '`text` must not be empty.'],
        [`${'x'.repeat(2001)},,,,,,`, '`text` must have at most 2000 characters.'],
        ['a\0b,,,,,,', '`text` must hold Unicode characters only, and no NUL.'],
        ['a,b', 'The line must have 7 cells, as the header has; it has 2.'],
        ['what, when, where,,,,,,', 'The line must have 7 cells, as the header has; it has 9.'],
        ['a 27" screen,,,,,,', 'The line has a quote inside a cell that is not in quotes.'],
      ],
      3,
    ),
  )('is told by line and column, and the others are imported: %j', async (line, reason) => {
    const csv = `${header}\n"first\r\n\r\nline",,,,,,\n${line}\nlast,,,,,,\n`
    expect(await load(csv)).toMatchObject({
      read: 3,
      created: 2,
      rejected: [{ line: 5, reason }],
    })
    expect(await texts()).toEqual(['first\r\n\r\nline', 'last'])
  })

  test.each(
    sampled(
      [
        [`a,${'t'.repeat(201)},,,,,`, '`topic` must have one line of at most 200 characters.'],
        ['a,"t\nu",,,,,', '`topic` must have one line of at most 200 characters.'],
        [
          'a,,buy,,,,',
          '`intent` must be one of informational, commercial, transactional, navigational; got `buy`.',
        ],
        ['a,,,maybe,,,', '`branded` must be yes or no; got `maybe`.'],
        ['a,,,,many,,', '`volume` must be a number from 0 to 2147483647; got `many`.'],
        ['a,,,,-1,,', '`volume` must be a number from 0 to 2147483647; got `-1`.'],
        ['a,,,,2147483648,,', '`volume` must be a number from 0 to 2147483647; got `2147483648`.'],
        ['a,,,,"1,20",,', '`volume` must be a number from 0 to 2147483647; got `1,20`.'],
        ['a,,,,,101,', '`difficulty` must be a number from 0 to 100; got `101`.'],
        ['a,,,,,,constructor', '`tracked` must be yes or no; got `constructor`.'],
        [
          'a,,,maybe,x,,',
          '`branded` must be yes or no; got `maybe`. `volume` must be a number from 0 to 2147483647; got `x`.',
        ],
      ],
      4,
    ),
  )('of a cell rejects the line: %j', async (line, reason) => {
    const csv = `${header}\n"first\r\n\r\nline",,,,,,\n${line}\nlast,,,,,,\n`
    expect(await load(csv)).toMatchObject({
      read: 3,
      created: 2,
      rejected: [{ line: 5, reason }],
    })
  })

  if (isSoak) {
    test('all of them are counted, and the first ten thousand told', async () => {
      const result = await load(`text,volume\n${',7\n'.repeat(10_001)}b,\n`)
      expect(result).toMatchObject({ read: 10_002, created: 1, rejectedTotal: 10_001 })
      expect(result.rejected).toHaveLength(10_000)
    })
  }

  test.each(
    sampled(
      [
        ['text,topic\na,b\n"c,d\ne,f\n', 'record that begins on line 3 has a quote'],
        ['text,topic\na,b\n"c"d,e\nf,g\n', 'record that begins on line 3 has a quote'],
        ['text,topic\na"b,c\n"d"e,f\n', 'record that begins on line 3 has a quote'],
        [
          `text,topic\na,b\n"${'x\n'.repeat(600_000)}`,
          'record that begins on line 3 is longer than 1 MiB',
        ],
      ],
      2,
    ),
  )('of quotes that nobody can tell the end of refuses the file: %#', async (csv, reason) => {
    await expect(load(csv)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(reason),
    })
    expect(await texts()).toEqual([])
  })

  test.each(
    sampled(
      [
        ['Windows-1252', Buffer.from('text\nd\xe9j\xe0 vu\n', 'latin1')],
        ['UTF-16 without a mark', Buffer.from('text\na\n', 'utf16le')],
        ['UTF-8 cut off', Buffer.from('text\né').subarray(0, -1)],
        ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
      ],
      2,
    ),
  )('of encoding refuses the file: %s', async (_name, csv) => {
    await expect(load(csv)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('neither UTF-8 nor UTF-16'),
    })
  })

  const many = sized({ normal: 3000, soak: 30_000 })

  test('of encoding far behind refuses the file, and nothing of it is imported', async () => {
    const good = Buffer.from(
      `text\n${Array.from({ length: many }, (_, i) => `prompt ${i}\n`).join('')}`,
    )
    async function* bytes() {
      yield good
      yield Buffer.from([0xff])
    }
    await expect(importCsv(api, project, bytes())).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(await texts()).toEqual([])
  })
})

describe('cells', () => {
  test.each(sampled(['', ' ', '-', 'n/a', 'N/A', '—'], 2))(
    'that say nothing, as %j, say nothing',
    async (cell) => {
      const csv = `text,topic,intent,branded,volume,difficulty,tracked\na${`,${cell}`.repeat(6)}\n`
      expect(await load(csv)).toMatchObject({ created: 1, rejected: [] })
      expect(await promptState(api.db, project)).toMatchObject([
        { topics: [], intent: null, volume: null, difficulty: null, tracked: true, branded: false },
      ])
    },
  )

  test.each(
    sampled(
      [
        ['1200', 1200],
        ['"1,200"', 1200],
        ['"1,234,567"', 1_234_567],
        ['1\u00a0200', 1200],
        ['12.0', 12],
      ],
      3,
    ),
  )('of a volume may be written %s', async (cell, volume) => {
    await load(`text,volume\na,${cell}\n`)
    expect(await promptState(api.db, project)).toMatchObject([{ volume }])
  })
})

describe('files of other tools', () => {
  test('are read by their columns: tags are topics, and a status says whether to track', async () => {
    const csv = `Search Prompt,Tags,Status,Volume,Owner
Which anvils last?,"Anvils, Steel",Active,1K – 10K,Ann
Who makes anvils?,Anvils;Makers,Paused,12.1K,Bob
Is iron good?,,enabled,low,Ann
`
    expect(await load(csv)).toMatchObject({
      read: 3,
      created: 3,
      rejected: [],
      ignoredColumns: ['Owner'],
    })
    const state = await promptState(api.db, project)
    expect(state.map(({ text, tracked, volume }) => [text, tracked, volume])).toEqual([
      ['Is iron good?', true, 100],
      ['Which anvils last?', true, 5500],
      ['Who makes anvils?', false, 12_100],
    ])
    const topics = await api.db.topic.findMany({
      where: { projectId: project },
      orderBy: { name: 'asc' },
    })
    expect(topics.map(({ name }) => name)).toEqual(['Anvils', 'Makers', 'Steel'])
    const links = await api.db.promptTopic.count({ where: { topic: { projectId: project } } })
    expect(links).toBe(4)
  })

  test('queries of Search Console are prompts', async () => {
    const csv = 'Top queries,Clicks,Impressions,CTR,Position\nbest anvil,2,10,20%,3.5\n'
    expect(await load(csv)).toMatchObject({ created: 1, rejected: [] })
    expect(await texts()).toEqual(['best anvil'])
  })
})
