import { expect, test } from 'vitest'
import { importAnswers } from '../../imports/answers/answers.ts'
import { makeProject, useStores, visibleRows } from '../kit/imports/imports.ts'
import { realData } from '../kit/real-data.ts'

// 528 answers of ChatGPT and Google AI Mode to 132 prompts of shoppers.
const { isAbsent, lines } = realData('data/answers-product-bench.jsonl')

interface Told {
  prompt: string
  platform: string
  topic: string
  citations: { url: string }[]
  products: { brand: string | null; name: string }[]
}

// The rules of a citation, written down once more and without the product's code: what counts below
// counts by these.
const tracking =
  'gclid gbraid wbraid dclid fbclid msclkid yclid mc_cid mc_eid igshid srsltid ref_src _ga'
const doubleSuffixes = ['co.uk', 'com.au', 'co.nz', 'myshopify.com']

/** The one address of a page that shops and video sites write in several ways. */
function onePage(address: string): string {
  const [, shop, product] =
    /^(https:\/\/(?:www\.)?amazon\.[^/]+)\/.*\bdp\/(\w{10})/.exec(address) ?? []
  if (shop && product) return `${shop}/dp/${product}`
  return address
    .replace('https://m.youtube.com/', 'https://www.youtube.com/')
    .replace('//mobile.www.', '//www.')
}

/** Letters that a file codes need no code. */
const decoded = (text: string) =>
  text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase()
  })

function plainUrl(text: string): string {
  const plain = onePage(text.replaceAll('&amp;', '&'))
  const [address = '', query] = (plain.split('#')[0] ?? '').split('?')
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*)$/.exec(address) ?? []
  const kept = (query?.split('&') ?? []).filter((part) => {
    const name = part.split('=')[0] ?? ''
    const isStart = name === 't' && plain.startsWith('https://www.youtube.com/')
    return !isStart && !name.startsWith('utm_') && !tracking.split(' ').includes(name)
  })
  const nameOf = (part: string) => part.split('=')[0] ?? ''
  const ordered = kept
    .map(decoded)
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : Number(nameOf(a) > nameOf(b))))
  const search = ordered.length > 0 ? `?${ordered.join('&')}` : ''
  return `https://${host.toLowerCase().replace(':443', '')}${
    decoded(path)
      .replace(/\/index\.(html?|php)$/, '')
      .replace(/\/+$/, '') || '/'
  }${search}`
}

function plainDomain(url: string): string {
  // A picture of the assistant itself is no source.
  if (url.startsWith('https://images.openai.com/')) return ''
  const labels = (url.split('/')[2] ?? '').split(':')[0]?.split('.') ?? []
  const isDouble = doubleSuffixes.includes(labels.slice(-2).join('.'))
  return labels.slice(isDouble ? -3 : -2).join('.')
}

test.skipIf(isAbsent)(
  'real answers give the responses, citations, domains and URLs that an independent count gives',
  async () => {
    const stores = useStores()
    const projectId = await makeProject(stores)
    const result = await importAnswers(stores, { projectId, lines })
    expect(result).toEqual({ read: 528, loaded: 528, skipped: 0, rejected: [] })

    const told = lines.map((line): Told => JSON.parse(line))
    const cited = told.map(({ citations }) => new Set(citations.map(({ url }) => plainUrl(url))))
    const perDomain = new Map<string, { citations: number; responses: number }>()
    for (const urls of cited) {
      const domains = [...urls].map(plainDomain)
      for (const domain of domains) {
        const row = perDomain.get(domain) ?? { citations: 0, responses: 0 }
        perDomain.set(domain, { ...row, citations: row.citations + 1 })
      }
      for (const domain of new Set(domains)) {
        const row = perDomain.get(domain)
        if (row) row.responses++
      }
    }

    const rows = await visibleRows(stores, projectId, 'citations')
    expect(rows).toHaveLength(cited.reduce((sum, urls) => sum + urls.size, 0))
    expect(new Set(rows.map(({ url }) => url))).toEqual(new Set(cited.flatMap((urls) => [...urls])))
    const byDomain = Map.groupBy(rows, ({ domain }) => String(domain))
    expect([...byDomain.keys()].sort()).toEqual([...perDomain.keys()].sort())
    for (const [domain, of] of byDomain) {
      const responses = of.filter(({ first_of_domain }) => first_of_domain === 1).length
      expect({ domain, citations: of.length, responses }).toEqual({
        domain,
        ...perDomain.get(domain),
      })
    }

    const answers = await visibleRows(stores, projectId, 'answers')
    const perPlatform = Map.groupBy(answers, ({ platform }) => platform)
    expect([...perPlatform].map(([platform, of]) => [platform, of.length]).sort()).toEqual([
      ['chatgpt', 264],
      ['google_ai_mode', 264],
    ])
    const { db } = stores
    expect(await db.prompt.count({ where: { projectId } })).toBe(132)
    expect(await db.topic.count({ where: { projectId } })).toBe(33)
    expect(await db.promptTopic.count({ where: { prompt: { projectId } } })).toBe(132)
    const products = told.flatMap((answer) => {
      return [...new Set(answer.products.map((it) => `${it.brand} ${it.name}`.toLowerCase()))]
    })
    expect(await visibleRows(stores, projectId, 'product_mentions')).toHaveLength(products.length)
  },
)
