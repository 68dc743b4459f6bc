import { expect, test } from 'vitest'
import type { Brand } from '../../../core/text/mentions.ts'
import { seenBrands } from '../../../core/text/seen-brands.ts'

const answersOf = (...texts: string[]) => texts.map((text) => ({ text, platform: 'chatgpt' }))
const brand = (name: string, domain: string): Brand => ({
  id: name,
  isOwn: false,
  names: [{ text: name, caseSensitive: false }],
  domains: [domain],
})

const lists = answersOf(
  '## Budget-Friendly\n1. **Sony WH-1000XM6** – leads\n2. **Bose QuietComfort** – close\n* **USB-C:** yes\n* **Battery:** long',
  '- Sony WF-1000XM5: small\n- **Briggs & Riley Baseline**, dear\n- [Lumora Halo 3](https://lumora.example) – ours',
  '| Brand | Price |\n|---|---|\n| Bose Ultra | 400 |\n| Briggs & Riley Torq | 700 |\n| Lumora Halo | 200 |',
)

test('brands in front of items and rows are found with their answers and cited domains, the most mentioned first', () => {
  const cited = ['rtings.com', 'bose.com', 'briggs-riley.com']
  expect(seenBrands(lists, cited, [brand('Lumora', 'lumora.example')])).toEqual([
    { name: 'Bose', domain: 'bose.com', answers: 2 },
    { name: 'Briggs & Riley', domain: 'briggs-riley.com', answers: 2 },
    { name: 'Sony', domain: null, answers: 2 },
  ])
})

test('a tracked brand, a word of the dictionary, a standard and a name of one answer are none', () => {
  const once = answersOf(
    '- Kessler Roam',
    '- Best overall: x\n- USB: yes',
    '- Best value\n- USB: no',
  )
  expect(seenBrands(once, [], [])).toEqual([])
  const names = seenBrands(lists, [], [brand('Sony', 'sony.com'), brand('Bose', 'bose.com')])
  expect(names.map(({ name }) => name)).toEqual(['Briggs & Riley', 'Lumora'])
})

test('a word that the answers have in lower case too is ordinary', () => {
  const texts = answersOf('- Zibblefication: yes', '- Zibblefication of zibblefication: no')
  expect(seenBrands(texts, [], [])).toEqual([])
})

test('another form of a word of the dictionary is ordinary, and a name that only looks like one is not', () => {
  const texts = answersOf(
    '- Repairs: free\n- Charging: fast\n- Unboxing: nice\n- Warmest: yes\n- Asics: shoes\n- Codenames: cards',
    '- Repairs: paid\n- Charging: slow\n- Unboxing: bad\n- Warmest: no\n- Asics: socks\n- Codenames: words',
  )
  expect(seenBrands(texts, [], []).map(({ name }) => name)).toEqual(['Asics', 'Codenames'])
})
