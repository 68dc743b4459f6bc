import { describe, expect, test } from 'vitest'
import { compileBrands } from '../../../core/text/mentions.ts'

const names = ['Acme', 'Bolt', 'Core', 'Dune']
const matcher = compileBrands(
  names.map((text) => ({
    id: text,
    isOwn: text === 'Acme',
    names: [{ text, caseSensitive: false }],
    domains: [],
  })),
)

/** "Acme 1 text, Bolt 2 text" */
const ranksIn = (text: string) =>
  matcher
    .find(text)
    .map(({ brandId, rank, rankBasis }) => `${brandId} ${rank} ${rankBasis}`)
    .join(', ')

describe('ranks of brands in an answer', () => {
  test.each([
    ['the first mention', 'Bolt is good, Acme too. Bolt!', 'Bolt 1 text, Acme 2 text'],
    ['a numbered list', '1. Acme\n2. Bolt', 'Acme 1 list, Bolt 2 list'],
    ['places of others', '1. Xylo\n2. **Acme One** – fine\n3. Yeti', 'Acme 2 list'],
    [
      'headings',
      '### 1. **Bolt S**\nBetter than Acme.\n### 2. [Acme](https://a.example)',
      'Bolt 1 list, Acme 2 list',
    ],
    ['numbers in bold', '**1. Bolt** is it.\n\nText.\n\n**2. Acme**', 'Bolt 1 list, Acme 2 list'],
    ['signs of numbers', '#1: Bolt\n#2: Acme', 'Bolt 1 list, Acme 2 list'],
    [
      'an awarded place',
      '1. **Best overall:** Bolt S\n2. Runner-up: Acme',
      'Bolt 1 list, Acme 2 list',
    ],
    ['a maker after its product', '1. Sound by Bolt\n2. The Acme Two', 'Bolt 1 list, Acme 2 list'],
    ['two at one place', '1. Acme and Bolt\n2. Core', 'Acme 1 list, Bolt 1 list, Core 2 list'],
    ['a countdown', '3. Acme\n2. Bolt\n1. Core', 'Core 1 list, Bolt 2 list, Acme 3 list'],
    [
      'a countdown to another number',
      '12. Acme\n11. Bolt\n10. Core',
      'Core 1 list, Bolt 2 list, Acme 3 list',
    ],
    [
      'numbers that Markdown counts',
      '1. Acme\n1. Bolt\n1. Core',
      'Acme 1 list, Bolt 2 list, Core 3 list',
    ],
    [
      'lists of several parts',
      'Cheap\n\n1. Acme\n2. Bolt\n\nDear\n\n1. Core\n2. Acme',
      'Acme 1 list, Core 1 list, Bolt 2 list',
    ],
    [
      'items within items',
      '1. Acme\n   1. Core fits\n   2. Dune fits\n2. Bolt',
      'Acme 1 list, Bolt 2 list, Core 3 text, Dune 4 text',
    ],
    [
      'a name before the list',
      'Core is my pick.\n1. Acme\n2. Bolt',
      'Core 1 text, Acme 1 list, Bolt 2 list',
    ],
    [
      'a name after the list',
      '1. Acme\n2. Xylo\n3. Yeti\n\nAlso: Bolt, Core.',
      'Acme 1 list, Bolt 4 text, Core 5 text',
    ],
    [
      'a name beside another in an item',
      '1. Acme – lighter than Bolt\n2. Core',
      'Acme 1 list, Core 2 list, Bolt 3 text',
    ],
    [
      'a table of ranks',
      '| Rank | Brand |\n|---|---|\n| 2 | Acme |\n| #1 | Bolt |',
      'Bolt 1 table, Acme 2 table',
    ],
    [
      'the first name of a row',
      '| # | Who | Beside |\n|--|--|--|\n| 4 | Acme | Bolt |',
      'Acme 4 table, Bolt 5 text',
    ],
    ['a title', '# Acme or Bolt?\n\nBolt wins, then Acme.', 'Bolt 1 text, Acme 2 text'],
    [
      'a title in bold',
      '**Acme and Bolt**\n\nBolt wins, Acme follows.',
      'Bolt 1 text, Acme 2 text',
    ],
    [
      'a repeated question',
      'Is Acme better than Bolt? Bolt is, Acme is not.',
      'Bolt 1 text, Acme 2 text',
    ],
    [
      'a title and a question',
      '# Acme\nIs Acme good?\nBolt is better than Acme.',
      'Bolt 1 text, Acme 2 text',
    ],
    ['a name in the title alone', '# Acme\n\nTake Bolt.', 'Bolt 1 text, Acme 2 text'],
    ['unlike', 'Unlike Acme and Bolt, Core is light.', 'Core 1 text, Acme 2 text, Bolt 3 text'],
    [
      'unlike several',
      'Unlike Acme, Bolt and Core, Dune is light.',
      'Dune 1 text, Acme 2 text, Bolt 3 text, Core 4 text',
    ],
    ['instead of', 'Instead of the Acme One take Core.', 'Core 1 text, Acme 2 text'],
    ['used to lead', 'While Acme used to lead, Core leads now.', 'Core 1 text, Acme 2 text'],
    ['avoid', 'Avoid Acme. Core is fine.', 'Core 1 text, Acme 2 text'],
    ['set aside below a list', 'Avoid Acme.\n1. Bolt\n2. Xylo', 'Bolt 1 list, Acme 3 text'],
  ])('%s', (_, text, ranks) => {
    expect(ranksIn(text)).toBe(ranks)
  })

  test.each([
    [
      'steps',
      'Core asks:\n1. Open the Acme app\n2. Check your plan\n3. Bolt ships it',
      'Core 1 text, Acme 2 text, Bolt 3 text',
    ],
    [
      'what to look at',
      '1. **Warranty:** Acme has two years\n2. **Price:** Bolt is cheap',
      'Acme 1 text, Bolt 2 text',
    ],
    ['one number alone', 'Bolt leads.\n\n7. Acme', 'Bolt 1 text, Acme 2 text'],
    ['years and versions', '2024. Acme grew\n2025. Bolt grew', 'Acme 1 text, Bolt 2 text'],
    [
      'a table without ranks',
      '| Brand | Price |\n|---|---|\n| Bolt | 3 |\n| Acme | 1 |',
      'Bolt 1 text, Acme 2 text',
    ],
    ['headings of parts', '## Acme\nGood.\n## Bolt\nAlso.', 'Acme 1 text, Bolt 2 text'],
    [
      'a comma after one',
      'Unlike Acme, Core and Bolt are light.',
      'Core 1 text, Bolt 2 text, Acme 3 text',
    ],
    ['a question below', 'Acme is fine. Is Bolt? Perhaps.', 'Acme 1 text, Bolt 2 text'],
    [
      'set aside once, recommended once',
      'Unlike Acme, Bolt is dear. Take Acme.',
      'Bolt 1 text, Acme 2 text',
    ],
    [
      'others that used to lead',
      'Acme beats who used to lead, and Bolt.',
      'Acme 1 text, Bolt 2 text',
    ],
  ])('no other order: %s', (_, text, ranks) => {
    expect(ranksIn(text)).toBe(ranks)
  })

  test.each([
    ['items', '1. Acme (unlike Bolt\n'.repeat(200_000)],
    ['lists', '1. Acme\n2. Bolt\n\n'.repeat(80_000)],
    ['rows', `| # | a |\n|---|---|\n${'| 1 | unlike Acme | Bolt |\n'.repeat(100_000)}`],
    ['tables', '| # | Acme |\n|---|---|\n| 1 | Bolt |\nx\n'.repeat(50_000)],
    ['rules', '| # | Acme Bolt |\n|---|---|\n'.repeat(80_000)],
  ])(
    'an answer that is nothing but %s is read',
    (_, text) => {
      expect(matcher.find(text)).toHaveLength(2)
    },
    60_000,
  )
})
