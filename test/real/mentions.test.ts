import { describe, expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { useApi } from '../kit/api.ts'
import { realData } from '../kit/real-data.ts'

/**
 * Who is named in 528 real answers, counted twice: by the service, and below by one regular expression a
 * brand, which shares nothing with it.
 */
const api = useApi()
const real = realData('data/answers-product-bench.jsonl')
const answers = real.lines.map((line) => JSON.parse(line) as { text: string; platform: string })

const projects = [
  [
    'Sony',
    'sony.com',
    { Bose: 'bose.com', JBL: 'jbl.com', Samsung: 'samsung.com', Apple: 'apple.com' },
  ],
  [
    'Breville',
    'breville.com',
    { "De'Longhi": 'delonghi.com', Ninja: 'ninjakitchen.com', Cuisinart: 'cuisinart.com' },
  ],
  ['Garmin', 'garmin.com', { Fitbit: 'fitbit.com', Apple: 'apple.com', Polar: 'polar.com' }],
] as const

/** The answer as a reader sees it: labels stay, addresses go. */
function read(markdown: string): string {
  return markdown
    .normalize('NFKC')
    .replace(/^ {0,3}\[[^\]]+\]: .*$/gm, ' ')
    .replace(/\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?: "[^"]*")?\)/g, '] ')
    .replace(/<https?:[^>]*>|https?:\/\/\S+/g, ' ')
    .replace(/[’‘]/g, "'")
    .replaceAll('Your feedback helps Google improve', ' ')
}

const texts = answers.map((answer) => read(answer.text))

/** Words of the dictionary count in their case only, and not before a hyphen. */
const inCase = new Set(['Apple', 'Ninja', 'Polar'])
/** Other spellings in these answers. */
const spellings: Readonly<Record<string, string>> = { "De'Longhi": "De['\\s]?Longhi", JBL: 'JBLs?' }

function namesOf(name: string) {
  const plain = spellings[name] ?? name
  const sign = String.raw`[\p{L}\p{M}\p{N}]`
  const isExact = inCase.has(name)
  const whole = `(?<!${sign})${plain}(?!${sign}${isExact ? '|-[a-z]' : ''})`
  // In answers without line ends, text ran together where tags stood.
  const glued = `(?<=[a-z0-9])${plain}(?!${sign})|(?<!${sign})${plain}(?=[A-Z])`
  return texts.map((answer, at) => {
    const found = [...answer.matchAll(new RegExp(whole, isExact ? 'gu' : 'giu'))]
    const more = answers[at]?.text.includes('\n') ? [] : answer.matchAll(new RegExp(glued, 'gu'))
    return [...found, ...more].map((match) => match.index).sort((x, y) => x - y)
  })
}

interface Numbered {
  start: number
  end: number
  number: number
}

/** The titles of numbered items of an answer, in lists of two or more. */
function listsOf(answer: string): Numbered[][] {
  const lists: Numbered[][] = []
  const item = /^(?:#{1,6} )?(?:\*\*)?(\d{1,2})[.)] (.*?)(?= – | - |\(|:|$)/gm
  for (const { index, 0: found, 1: digits } of answer.matchAll(item)) {
    const number = Number(digits)
    const list = lists.at(-1)
    const one = { start: index, end: index + found.length, number }
    if (list?.at(-1)?.number === number - 1) list.push(one)
    else lists.push([one])
  }
  return lists.filter((list) => list.length > 1)
}

/** Numbers of lists for who stands in a title. Others by first mention, and behind the lists that begin before them. */
function ranksOf(answer: string, places: readonly (readonly number[])[]): number[] {
  const given = (list: readonly Numbered[]) =>
    places.map((at) => list.find(({ start, end }) => at.some((it) => it >= start && it < end)))
  const lists = listsOf(answer).filter((list) => given(list).some(Boolean))
  const ranks = places.map((_, brand) =>
    Math.min(...lists.map((list) => given(list)[brand]?.number ?? Number.POSITIVE_INFINITY)),
  )
  const unranked = places
    .map((at, brand) => ({ brand, first: at[0] ?? Number.POSITIVE_INFINITY }))
    .filter(
      ({ brand, first }) => ranks[brand] === Number.POSITIVE_INFINITY && first < answer.length,
    )
    .sort((one, other) => one.first - other.first)
  let next = 1
  for (const { brand, first } of unranked) {
    for (const list of lists) {
      if ((list[0]?.start ?? 0) < first) next = Math.max(next, (list.at(-1)?.number ?? 0) + 1)
    }
    ranks[brand] = next++
  }
  return ranks
}

function count(names: readonly string[]) {
  const found = names.map(namesOf)
  const ranks = texts.map((text, answer) =>
    ranksOf(
      text,
      found.map((at) => at[answer] ?? []),
    ),
  )
  return names.map((name, brand) => {
    const at = found[brand] ?? []
    const named = at.flatMap((places, answer) => (places.length > 0 ? [answer] : []))
    return {
      name,
      responses: named.length,
      mentions: at.flat().length,
      rankSum: named.reduce((sum, answer) => sum + (ranks[answer]?.[brand] ?? 0), 0),
      of: (platform: string) =>
        named.filter((answer) => answers[answer]?.platform === platform).length,
    }
  })
}

const round = (n: number, d: number) =>
  Number((Math.round((n / d) * 100 * (1 + Number.EPSILON)) / 100).toFixed(2))

describe.skipIf(real.isAbsent).each(projects)('%s in 528 real answers', (brand, domain, rivals) => {
  test('responses, mentions, ranks, share of voice and platforms equal an independent count', async () => {
    const workspace = await api.workspace()
    const project = await workspace.project({
      name: brand,
      domain,
      competitors: Object.entries(rivals).map(([name, rivalDomain]) => ({
        name,
        domain: rivalDomain,
      })),
    })
    const { key } = await workspace.key()
    await importAnswers(api, { projectId: project, lines: real.lines })
    const get = async (path: string) =>
      (await (
        await api.get(`/api/mcp/projects/${project}${path}?from=2025-05-20&to=2025-05-30`, key)
      ).json()) as never
    const [own, ...others] = count([brand, ...Object.keys(rivals)])
    if (!own) throw new Error('no brand')
    const all = own.responses + others.reduce((sum, rival) => sum + rival.responses, 0)

    const { summary, platforms } = (await get('/visibility')) as {
      summary: Record<string, unknown>
      platforms: { platform: string }[]
    }
    expect(summary).toMatchObject({
      totalResponses: 528,
      responsesWithBrand: own.responses,
      totalMentions: own.mentions,
      visibilityScore: round(own.responses * 100, 528),
      averagePosition: round(own.rankSum, own.responses),
    })
    for (const row of platforms) {
      expect(row).toMatchObject({
        responses: 264,
        responsesWithBrand: own.of(row.platform),
        visibilityRate: round(own.of(row.platform) * 100, 264),
      })
    }
    expect(platforms).toHaveLength(2)

    const voice = (await get('/share-of-voice')) as {
      brand: Record<string, unknown>
      competitors: Record<string, unknown>[]
    }
    const row = (counted: typeof own) => ({
      name: counted.name,
      mentions: counted.mentions,
      responsesWithMention: counted.responses,
      sov: round(counted.responses * 100, all),
    })
    expect(voice.brand).toMatchObject(row(own))
    const byName = (a: { name?: unknown }, b: { name?: unknown }) =>
      String(a.name) < String(b.name) ? -1 : 1
    expect(voice.competitors.sort(byName)).toMatchObject(others.map(row).sort(byName))
  })
})
