import type { Draw } from './random.ts'
import { type DemoTopic, topics, wordsOf } from './topics.ts'
import { type DemoBrand, ownBrand, rivals, shortName } from './world.ts'

export interface DemoPage {
  readonly url: string
  readonly title: string | null
}

/** Path and title of a kind of page; `{topic}`, `{product}` and the like are filled in. */
const pageKinds = {
  listicle: ['/best-{topic-slug}/', 'The 9 best {topic}, tested'],
  review: ['/reviews/{product-slug}', '{product} review: {criterion} first'],
  comparison: ['/{own-slug}-vs-{product-slug}', '{own} vs {product}: which is better?'],
  howTo: ['/how-to-choose-{topic-slug}', 'How to choose {topic}'],
  article: ['/news/why-{topic-slug}-changed', 'Why {topic} changed so much in two years'],
  product: ['/products/{product-slug}', '{product}'],
  category: ['/category/{topic-slug}', 'Buy {topic}'],
  homepage: ['/', ''],
  reddit: [
    '/r/headphones/comments/{code}/{topic_slug}/',
    'Which {topic} do you use? : r/headphones',
  ],
  thread: ['/threads/{topic-slug}.{code}/', "{topic}: the owners' thread"],
  video: ['/watch?v={code}', '{product} after six months'],
  post: ['/{brand-slug}/posts/{code}', ''],
  documentation: ['/docs/{category}/set-up', 'Set up your {category}'],
  encyclopedia: ['/wiki/{Category}', '{Category} - Wikipedia'],
  safety: ['/safe-listening/{category}', 'Safe listening with {category}'],
} as const satisfies Record<string, readonly [path: string, title: string]>

type PageKind = keyof typeof pageKinds
type Site = readonly [host: string, weight: number, ...kinds: PageKind[]]

const sites: readonly Site[] = [
  ['www.rtings.com', 9, 'listicle', 'review', 'comparison'],
  ['www.soundguys.com', 6, 'listicle', 'review', 'comparison', 'howTo'],
  ['www.whathifi.com', 7, 'listicle', 'review', 'article'],
  ['www.techradar.com', 7, 'listicle', 'review', 'comparison'],
  ['www.nytimes.com', 5, 'listicle', 'article'],
  ['www.theverge.com', 4, 'review', 'article', 'listicle'],
  ['www.cnet.com', 5, 'listicle', 'howTo', 'review'],
  ['www.pcmag.com', 4, 'listicle', 'review'],
  ['www.tomsguide.com', 5, 'listicle', 'comparison', 'review'],
  ['www.engadget.com', 2, 'review', 'article'],
  ['www.wired.com', 3, 'listicle', 'article'],
  ['www.forbes.com', 3, 'listicle'],
  ['www.digitaltrends.com', 3, 'listicle', 'howTo'],
  ['www.trustedreviews.com', 3, 'review', 'listicle'],
  ['www.t3.com', 2, 'listicle', 'article'],
  ['www.stuff.tv', 1.5, 'review', 'listicle'],
  ['www.techadvisor.com', 1.5, 'listicle', 'review'],
  ['www.stereophile.com', 1, 'review'],
  ['www.soundonsound.com', 1.5, 'review', 'howTo'],
  ['www.androidauthority.com', 1.5, 'listicle', 'article'],
  ['www.zdnet.com', 2, 'listicle', 'article'],
  ['www.theguardian.com', 2, 'article', 'listicle'],
  ['www.bbc.com', 1, 'article'],
  ['www.spiegel.de', 1, 'article'],
  ['www.heise.de', 2, 'article', 'review'],
  ['www.chip.de', 2, 'listicle', 'review'],
  ['www.computerbild.de', 1, 'listicle', 'review'],
  ['www.runnersworld.com', 1, 'listicle', 'howTo'],
  ['www.gq.com', 1, 'listicle'],
  ['www.goodhousekeeping.com', 1, 'listicle'],
  ['www.techgearlab.com', 1.5, 'comparison', 'listicle'],
  ['www.headphonesty.com', 1, 'article', 'howTo'],
  ['www.headphonecheck.com', 1, 'review'],
  ['medium.com', 1, 'article', 'howTo'],
  ['www.reddit.com', 10, 'reddit'],
  ['www.youtube.com', 7, 'video'],
  ['www.facebook.com', 1.5, 'post'],
  ['www.instagram.com', 1, 'post'],
  ['www.tiktok.com', 1, 'post'],
  ['www.linkedin.com', 0.7, 'post'],
  ['www.quora.com', 2, 'article'],
  ['www.head-fi.org', 3, 'thread'],
  ['www.avsforum.com', 2, 'thread'],
  ['www.audiosciencereview.com', 2.5, 'thread'],
  ['gearspace.com', 1, 'thread'],
  ['www.hifi-forum.de', 1, 'thread'],
  ['www.trustpilot.com', 2, 'review'],
  ['www.consumerreports.org', 2, 'listicle', 'review'],
  ['www.which.co.uk', 2, 'review', 'howTo'],
  ['www.test.de', 1.5, 'review', 'article'],
  ['en.wikipedia.org', 3, 'encyclopedia'],
  ['de.wikipedia.org', 1, 'encyclopedia'],
  ['www.who.int', 1, 'safety'],
  ['www.cdc.gov', 0.8, 'safety'],
  ['www.nidcd.nih.gov', 0.6, 'safety'],
  ['ccrma.stanford.edu', 0.4, 'article'],
  ['www.amazon.com', 5, 'product', 'category'],
  ['www.amazon.de', 2, 'product', 'category'],
  ['www.bestbuy.com', 3, 'product', 'category'],
  ['www.walmart.com', 2, 'category', 'product'],
  ['www.crutchfield.com', 2, 'howTo', 'category', 'product'],
  ['www.bhphotovideo.com', 1, 'product'],
  ['www.thomann.de', 1.5, 'category', 'product'],
  ['www.mediamarkt.de', 1, 'category', 'product'],
  ['www.argos.co.uk', 0.8, 'category', 'homepage'],
  ['www.johnlewis.com', 0.8, 'category'],
  ['support.google.com', 0.6, 'documentation'],
  ['support.apple.com', 0.6, 'documentation'],
]

const brandKinds = ['product', 'category', 'homepage', 'documentation', 'howTo'] as const
const brandWeight = 8

const slugOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A short code that the same text always gives, as threads and videos have one. */
function codeOf(text: string): string {
  let code = 7
  for (const character of text) code = (code * 31 + character.charCodeAt(0)) % 2_176_782_336
  return code.toString(36).padStart(6, '0')
}

function pageOn(host: string, kind: PageKind, topic: DemoTopic, brand: DemoBrand): DemoPage {
  const name = (of: DemoBrand) => `${shortName(of)} ${of.products[topic.category][0]}`
  const topicWords = wordsOf(topic)
  const category = topic.category.charAt(0).toUpperCase() + topic.category.slice(1)
  const values: Record<string, string> = {
    topic: topicWords,
    'topic-slug': topic.slug,
    topic_slug: topic.slug.replaceAll('-', '_'),
    product: name(brand),
    'product-slug': slugOf(name(brand)),
    own: name(ownBrand),
    'own-slug': slugOf(name(ownBrand)),
    'brand-slug': slugOf(shortName(brand)),
    criterion: topic.criteria[0] ?? topicWords,
    category: topic.category,
    Category: category,
    code: codeOf(host + kind + topic.slug + brand.alias),
  }
  const [path, title] = pageKinds[kind].map((template) =>
    template.replaceAll(/\{([\w-]+)\}/g, (_, key: string) => values[key] ?? ''),
  )
  return { url: `https://${host}${path}`, title: title || null }
}

export const ownHost = `www.${ownBrand.domain}`

/** The paths of the own brand's pages that answers may cite. */
export function ownPaths(): string[] {
  const urls = topics.flatMap((topic) =>
    brandKinds.map((kind) => pageOn(ownHost, kind, topic, ownBrand).url),
  )
  return [...new Set(urls)].map((url) => url.slice(`https://${ownHost}`.length))
}

/**
 * Makes a function that chooses the cited pages of an answer: up to `count`, on different sites. Pages of named brands
 * come more often.
 */
export function openSources(
  draw: Draw,
): (count: number, topic: DemoTopic, named: readonly DemoBrand[]) => DemoPage[] {
  const pages = new Map<string, DemoPage>()
  const pageOf = (...about: Parameters<typeof pageOn>) => {
    const [host, kind, topic, brand] = about
    const key = `${host} ${kind} ${topic.slug} ${brand.name}`
    const page = pages.get(key) ?? pageOn(...about)
    pages.set(key, page)
    return page
  }
  return (count, topic, named) => {
    const brandSites = named.map(
      (brand): Site => [`www.${brand.domain}`, brandWeight, ...brandKinds],
    )
    return draw
      .some([...sites, ...brandSites], count, ([, weight]) => weight)
      .map(([host, , ...kinds]) => {
        const kind = draw.pick(kinds)
        const owner = named.find((brand) => host.endsWith(brand.domain))
        const subjects = kind === 'comparison' || named.length === 0 ? rivals : named
        return pageOf(host, kind, topic, owner ?? draw.pick(subjects))
      })
  }
}
