import { describe, expect, test } from 'vitest'
import { modelQuestion, promptsOfReply } from '../../../core/setup/model.ts'
import { pagesToRead } from '../../../core/setup/pages.ts'
import { proposalsOf } from '../../../core/setup/proposals.ts'
import type { SitePage } from '../../../core/setup/site.ts'

const origin = 'https://www.lumora.example'
const brand = { name: 'Lumora Audio', domain: 'lumora.example' }

function page(path: string, given: Partial<SitePage> = {}): SitePage {
  return {
    address: `${origin}${path}`,
    language: 'en',
    title: '',
    description: '',
    heading: '',
    kind: 'other',
    siteName: '',
    names: [],
    aliases: [],
    summary: '',
    products: [],
    questions: [],
    navigation: [],
    ...given,
  }
}

const link = (text: string, path: string) => ({ text, address: `${origin}${path}` })

const front = page('/', {
  title: 'Lumora – headphones for travel',
  description: 'Headphones that keep the noise out.',
  siteName: 'Lumora Audio',
  names: ['Lumora Audio GmbH'],
  aliases: ['Lumora'],
  navigation: [
    link('Travel headphones', '/headphones/travel'),
    link('Sound design', '/sound-design'),
    link('About us', '/about'),
    link('Sign in', '/login'),
    link('Lumora vs Kessler', '/compare/kessler'),
  ],
})

const pages = [
  front,
  page('/guides/choose', { title: 'How to choose headphones for a flight | Lumora' }),
  page('/faq', {
    title: 'FAQ | Lumora',
    questions: [
      'How long do wireless headphones last?',
      'When will my order arrive at home?',
      'Really?',
    ],
  }),
  page('/products/halo', { title: 'Halo 3 | Lumora', products: ['Halo 3'] }),
]

describe('a site proposes', () => {
  const found = proposalsOf(pages, brand)
  const texts = found.prompts.map(({ text }) => text)

  test('names, topics and competitors that its pages have, and none of every site', () => {
    expect(found.name).toBeNull()
    expect(found.description).toBe('Headphones that keep the noise out.')
    expect(found.aliases).toEqual(['Lumora', 'Lumora Audio GmbH'])
    expect(found.topics).toEqual(['Travel headphones', 'Sound design'])
    expect(found.competitors).toEqual(['Kessler'])
  })

  test('the questions of its guides and its FAQ, but not those about orders', () => {
    expect(texts.slice(0, 2)).toEqual([
      'How do I choose headphones for a flight?',
      'How long do wireless headphones last?',
    ])
    expect(texts).not.toContain('When will my order arrive at home?')
  })

  test('questions about topics, the brand and its products, each with its page', () => {
    expect(found.prompts).toHaveLength(2 + 8 + 3 + 1 + 1)
    expect(found.prompts).toContainEqual({
      text: 'What are the best travel headphones?',
      topic: 'Travel headphones',
      intent: 'commercial',
      isBranded: false,
      page: '/headphones/travel',
    })
    expect(texts).toContain('Which companies are best for sound design?')
    expect(found.prompts.filter(({ isBranded }) => isBranded).map(({ text }) => text)).toEqual([
      'What are the best alternatives to Lumora Audio?',
      'What is Lumora Audio known for?',
      'Is the Halo 3 worth buying?',
      'Is Lumora Audio a good choice for travel headphones?',
      'How does Lumora Audio compare with its competitors?',
    ])
  })
})

test('a site of another language has templates in it, or its own questions alone', () => {
  const of = (language: string, question: string) =>
    proposalsOf(
      [
        {
          ...front,
          language,
          navigation: [link('Kopfhörer', '/kopfhoerer')],
          questions: [question],
        },
      ],
      brand,
    ).prompts.map(({ text }) => text)
  expect(of('de-DE', 'Wie lange hält ein Akku?')).toContain(
    'Worauf sollte man bei Kopfhörer achten?',
  )
  expect(of('pl', 'Jak długo działa taka bateria?')).toEqual(['Jak długo działa taka bateria?'])
})

test('a site without a word proposes nothing', () => {
  expect(proposalsOf([], brand)).toEqual({
    name: null,
    description: null,
    aliases: [],
    topics: [],
    competitors: [],
    prompts: [],
  })
})

test('of a site the pages are read that say most: no forms, files and law, and few of a folder', () => {
  const links = [
    '/',
    '/login',
    '/privacy',
    '/press.pdf',
    '/p?page=2',
    '/blog/how-to-clean-headphones-at-home',
    '/products/a',
    '/products/b',
    '/products/c',
    '/products/d',
    '/faq',
  ].map((path) => `${origin}${path}`)
  const read = pagesToRead(`${origin}/`, front.navigation, links).map(
    (each) => new URL(each).pathname,
  )
  expect(read).toEqual([
    '/faq',
    '/headphones/travel',
    '/sound-design',
    '/compare/kessler',
    '/blog/how-to-clean-headphones-at-home',
    '/products/a',
    '/products/b',
    '/products/c',
  ])
})

describe('a model', () => {
  test('is asked with the facts of the brand as data', () => {
    const facts = { ...brand, description: null, topics: ['Travel'], competitors: ['Kessler'] }
    expect(modelQuestion(facts)).toContain(JSON.stringify(facts))
  })

  test('proposes what it wrote in JSON, once each; other replies propose nothing', () => {
    const reply = [
      { text: 'Best headphones?', topic: 'Travel', intent: 'commercial' },
      { text: 'best headphones', topic: '', intent: 'odd' },
      { text: 'Is Lumora good?', topic: null, intent: 'odd' },
    ]
    const text = `Here:\n\`\`\`json\n${JSON.stringify({ prompts: reply })}\n\`\`\``
    expect(promptsOfReply(text, ['Lumora'])).toEqual([
      {
        text: 'Best headphones?',
        topic: 'Travel',
        intent: 'commercial',
        isBranded: false,
        page: null,
      },
      {
        text: 'Is Lumora good?',
        topic: null,
        intent: 'informational',
        isBranded: true,
        page: null,
      },
    ])
    expect(promptsOfReply('I cannot do that.', ['Lumora'])).toEqual([])
    expect(promptsOfReply('{"prompts": [{"text": 7}]}', ['Lumora'])).toEqual([])
  })
})
