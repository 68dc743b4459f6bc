import { questionForm } from '../question.ts'
import { countWords } from '../text/words.ts'
import type { SitePage } from './site.ts'
import { aboutOrders, isGeneral, ownBusiness, setupLanguage, templates } from './words.ts'

export interface ProposedPrompt {
  readonly text: string
  /** One of the proposed topics; null for none. */
  readonly topic: string | null
  readonly intent: 'informational' | 'commercial' | 'transactional' | 'navigational'
  readonly isBranded: boolean
  /** Path of the page that the prompt comes from; null for a prompt that a model wrote. */
  readonly page: string | null
}

/** What a project may begin with. Nothing of it counts until somebody accepts it. */
export interface Proposals {
  /** Name of the brand as its site writes it; null where the site says none. */
  readonly name: string | null
  readonly description: string | null
  readonly aliases: readonly string[]
  readonly topics: readonly string[]
  /** Names that the site compares the brand with. */
  readonly competitors: readonly string[]
  readonly prompts: readonly ProposedPrompt[]
}

export interface ProposedFor {
  readonly name: string
  readonly domain: string
}

const mostTopics = 8
export const mostPrompts = 20
const mostQuestions = 6
const mostProducts = 3
const mostCharacters = 200
const mostAliases = 6
const mostCompetitors = 8

const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim()
const short = (text: string) => (text.length > mostCharacters ? '' : collapsed(text))
/** Texts that people may read as the same. */
const sameForm = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

function distinct(texts: readonly string[]): string[] {
  const byForm = new Map<string, string>()
  for (const text of texts) {
    const form = sameForm(text)
    if (form !== '' && !byForm.has(form)) byForm.set(form, text)
  }
  return [...byForm.values()]
}

const pathOf = (address: string) => new URL(address).pathname
const segmentsOf = (address: string) => pathOf(address).split('/').filter(Boolean)

/** What parts a page's title from the name of its site. */
const divider = /\s+[|–—·•-]\s+|\s*[|:]\s+/

/** The end that the titles of two pages or more share. */
function sharedEnd(pages: readonly SitePage[]): string {
  const ends = pages.flatMap(({ title }) => {
    const parts = title.split(divider)
    return parts.length > 1 ? (parts.at(-1) ?? []) : []
  })
  const counts = Map.groupBy(ends, (end) => end)
  const [best] = [...counts].sort(([, a], [, b]) => b.length - a.length)
  return best && best[1].length > 1 ? best[0] : ''
}

/** Words for the form of a company, which answers leave out. */
const companyForm =
  /[\s,]+(?:inc|incorporated|llc|ltd|limited|corp|corporation|co|gmbh|ag|kg|se|sa|sas|sarl|s\.?l|s\.?a|bv|nv|oy|ab|plc|pty ltd)\.?$/i

function nameOf(pages: readonly SitePage[]): string {
  const given = [
    ...pages.flatMap(({ names }) => names),
    ...pages.map(({ siteName }) => siteName),
    sharedEnd(pages),
  ]
  const name = given.map(short).find((text) => text !== '' && countWords(text) <= 6)
  return name?.replace(companyForm, '') ?? ''
}

/** The first words of a name, where the domain is made of them: "Lumora" of Lumora Audio at lumora.example. */
function shortName(name: string, domain: string): string[] {
  const label = sameForm(domain.split('.')[0] ?? '')
  const words = name.split(' ')
  return words.flatMap((_word, at) => {
    const start = words.slice(0, at + 1).join(' ')
    return at + 1 < words.length && sameForm(start) === label ? [start] : []
  })
}

function aliasesOf(pages: readonly SitePage[], brand: ProposedFor, name: string): string[] {
  const own = new Set([sameForm(name)])
  const given = [
    brand.name,
    ...pages.flatMap(({ aliases }) => aliases),
    ...pages.flatMap(({ names }) => names),
    ...pages.map(({ siteName }) => siteName),
    ...[name, brand.name].flatMap((each) => shortName(each, brand.domain)),
  ]
  return distinct(given.map(short).filter((text) => text !== '' && !own.has(sameForm(text))))
    .filter((text) => countWords(text) <= 6)
    .slice(0, mostAliases)
}

/** "Running shoes" of a link, or of a part of a path such as `running-shoes`. */
function topicIn(text: string): string | null {
  const words = collapsed(text.replace(/[-_]+/g, ' '))
  const isSubject = /^[\p{L}\p{N}][\p{L}\p{N}&'’,+ ]*$/u.test(words) && /\p{L}{3}/u.test(words)
  if (!isSubject || countWords(words) > 4 || words.length > 40 || isGeneral(words)) return null
  const isShouted = words === words.toUpperCase() && words.length > 5
  const plain = isShouted ? words.toLowerCase() : words
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

interface Topic {
  readonly name: string
  /** Path of the page about it. */
  readonly page: string
}

/** The subjects of a site: those of its navigation, then the folders in which several of its pages are. */
function topicsOf(pages: readonly SitePage[], brand: readonly string[]): Topic[] {
  const links = pages.flatMap(({ navigation }) => navigation)
  const named = links.flatMap(({ text, address }) => {
    const depth = segmentsOf(address).length
    const name = depth > 0 && depth <= 3 && !ownBusiness.test(pathOf(address)) && topicIn(text)
    return name ? [{ name, page: pathOf(address) }] : []
  })
  const folders = Map.groupBy(pages, ({ address }) => segmentsOf(address).at(-2) ?? '')
  const shared = [...folders].flatMap(([folder, inside]) => {
    const [first] = inside
    const name = first && inside.length > 1 && topicIn(folder)
    return name ? [{ name, page: pathOf(first.address) }] : []
  })
  const own = brand.map(sameForm).filter(Boolean)
  const found = new Map<string, Topic>()
  for (const topic of [...named, ...shared]) {
    const form = sameForm(topic.name)
    const isOwn = own.some((name) => form.startsWith(name))
    if (!isOwn && !found.has(form)) found.set(form, topic)
  }
  return [...found.values()].slice(0, mostTopics)
}

/** A topic within a sentence: without the capital of a heading. Nouns of German, and names, keep theirs. */
function inSentence(topic: string, language: string): string {
  if (language === 'de') return topic
  return topic
    .split(' ')
    .map((word) => (/^\p{Lu}\p{Ll}*$/u.test(word) ? word.toLowerCase() : word))
    .join(' ')
}

/** Whether a topic names several things: such as shoes, but not analytics or business. */
function isPlural(topic: string, language: string): boolean {
  const last = topic.split(' ').at(-1) ?? ''
  if (language === 'de') return /(?:e|en|er|s)$/.test(last)
  return /s$/i.test(last) && !/(?:ss|ics|us|is)$/i.test(last)
}

const isAsked = (text: string) => /[?？]$/.test(text)

/** A question of the site that people may ask anybody: about its subject, and not about the shop. */
function isOpen(text: string): boolean {
  const words = countWords(text)
  if (!isAsked(text) || words < 4 || words > 18 || text.length > mostCharacters) return false
  return !aboutOrders.test(text) && !/\b(?:this|these|it|here)\b/i.test(text)
}

/** The title of a guide as a question; empty for other titles. */
function askedByTitle(title: string, language: string | null): string {
  const [bare = ''] = title.split(divider)
  const text = short(bare)
  if (isOpen(text)) return text
  if (language !== 'en') return ''
  const [, task] = /^how to (.{8,})$/i.exec(text) ?? []
  if (task && countWords(task) <= 12)
    return `How do I ${task.charAt(0).toLowerCase()}${task.slice(1)}?`
  const [, things] = /^(?:the )?(?:\d+ )?best (.{4,}?)(?: (?:of|in) 20\d\d)?$/i.exec(text) ?? []
  if (things && countWords(things) <= 10) return `What are the best ${inSentence(things, 'en')}?`
  return ''
}

const versus = /^(.{2,60}?)\s+(?:vs\.?|versus|or|oder|ou|o)\s+(.{2,60}?)(?:[?:,|(].*)?$/i

/** The names that titles and links of the site set against its own, as in "Lumora vs Kessler". */
function competitorsOf(pages: readonly SitePage[], own: readonly string[]): string[] {
  const ownForms = own.map(sameForm).filter(Boolean)
  const isOwn = (name: string) => ownForms.some((form) => sameForm(name).startsWith(form))
  const texts = pages.flatMap(({ title, heading, navigation }) => [
    title.split(divider)[0] ?? '',
    heading,
    ...navigation.map(({ text }) => text),
  ])
  const found = texts.flatMap((text) => {
    const [, left = '', right = ''] = versus.exec(collapsed(text)) ?? []
    if (isOwn(left) === isOwn(right)) return []
    const other = collapsed(isOwn(left) ? right : left)
    return countWords(other) <= 3 && /^\p{Lu}/u.test(other) ? [other] : []
  })
  return distinct(found).slice(0, mostCompetitors)
}

const filled = (template: string, name: string, topic = '') =>
  template.replace('{}', name).replace('[]', topic)

/** The topic whose words a text has. */
function topicFor(text: string, topics: readonly Topic[]): string | null {
  const form = text.toLowerCase()
  return topics.find(({ name }) => form.includes(name.toLowerCase()))?.name ?? null
}

/**
 * What a brand's own pages say that it is, and the questions that buyers of its subject may ask, by rule. The first page
 * is the front page.
 */
export function proposalsOf(pages: readonly SitePage[], brand: ProposedFor): Proposals {
  const [front] = pages
  const empty = { aliases: [], topics: [], competitors: [], prompts: [] }
  if (!front) return { name: null, description: null, ...empty }
  const name = nameOf(pages) || brand.name
  const aliases = aliasesOf(pages, brand, name)
  const own = [name, brand.name, ...aliases]
  const topics = topicsOf(pages, own)
  const language = setupLanguage(front.language)
  const summaries = [front.summary, front.description].map(short).filter(Boolean)
  const ownForms = own.map((text) => text.toLowerCase()).filter((text) => text.length > 1)
  const isBranded = (text: string) => ownForms.some((form) => text.toLowerCase().includes(form))
  const ofSite = pages.flatMap((page): ProposedPrompt[] => {
    const title = askedByTitle(page.title, language)
    const asked = [title, ...page.questions.map(collapsed).filter(isOpen)].filter(Boolean)
    return asked.map((text) => ({
      text,
      topic: topicFor(`${text} ${pathOf(page.address).replaceAll('-', ' ')}`, topics),
      intent: /\bbest\b|\bworth\b|\bvs\b/i.test(text) ? 'commercial' : 'informational',
      isBranded: isBranded(text),
      page: pathOf(page.address),
    }))
  })
  const prompts = [
    ...unrepeated(ofSite).slice(0, mostQuestions),
    ...(language ? byTemplate({ pages, topics, name, language }) : []),
  ]
  return {
    name: sameForm(name) === sameForm(brand.name) && name === brand.name ? null : name,
    description: summaries[0] ?? null,
    aliases,
    topics: topics.map((topic) => topic.name),
    competitors: competitorsOf(pages, own),
    prompts: unrepeated(prompts).slice(0, mostPrompts),
  }
}

/** One prompt of each question. */
export function unrepeated(prompts: readonly ProposedPrompt[]): ProposedPrompt[] {
  const forms = new Map<string, ProposedPrompt>()
  for (const prompt of prompts) {
    const form = questionForm(prompt.text)
    if (!forms.has(form)) forms.set(form, prompt)
  }
  return [...forms.values()]
}

interface Templated {
  readonly pages: readonly SitePage[]
  readonly topics: readonly Topic[]
  readonly name: string
  readonly language: keyof typeof templates
}

/** Questions about each topic in turn, the brand, and its products. */
function byTemplate({ pages, topics, name, language }: Templated): ProposedPrompt[] {
  const texts = templates[language]
  const front = pathOf(pages[0]?.address ?? 'https://localhost/')
  const ofTopic = (at: number) =>
    topics.flatMap(({ name: topic, page }): ProposedPrompt[] => {
      const template = (isPlural(topic, language) ? texts.things : texts.subject)[at]
      if (!template) return []
      const text = filled(template.text, inSentence(topic, language))
      return [{ text, topic, intent: template.intent, isBranded: false, page }]
    })
  const ofBrand = texts.brand.map(
    ({ text, intent }): ProposedPrompt => ({
      text: filled(text, name),
      topic: null,
      intent,
      isBranded: true,
      page: front,
    }),
  )
  const withTopic = topics.slice(0, 1).map(({ name: topic, page }): ProposedPrompt => {
    const { text, intent } = texts.brandOfTopic
    const asked = filled(text, name, inSentence(topic, language))
    return { text: asked, topic, intent, isBranded: true, page }
  })
  const products = pages.flatMap(({ products: named, address }) =>
    named.map((product) => ({ product: short(product), page: pathOf(address) })),
  )
  const ofProducts = products
    .filter(({ product }) => product !== '' && countWords(product) <= 6)
    .slice(0, mostProducts)
    .map(
      ({ product, page }): ProposedPrompt => ({
        text: filled(texts.product.text, product),
        topic: null,
        intent: texts.product.intent,
        isBranded: true,
        page,
      }),
    )
  return [
    ...ofTopic(0),
    ...ofBrand.slice(0, 2),
    ...ofProducts,
    ...withTopic,
    ...ofTopic(1),
    ...ofBrand.slice(2),
    ...ofTopic(2),
    ...ofTopic(3),
  ]
}
