import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContentType, contentType, contentTypes } from '../../core/sites/content-types.ts'
import { normaliseUrl } from '../../core/sites/urls.ts'
import { cpuMsOf } from '../kit/cpu.ts'
import { realData } from '../kit/real-data.ts'

const real = realData('data/answers-product-bench.jsonl')

describe('the address tells', () => {
  test.each<[string, ContentType]>([
    ['https://nectarsleep.com/', 'homepage'],
    ['https://www.sony.com/de', 'homepage'],
    ['https://www.tp-link.com/us/en', 'homepage'],
    ['https://www.hp.com/us-en/index.html', 'homepage'],
    ['https://www.youtube.com/watch?v=1t6wcb6i3YM', 'video'],
    ['https://youtu.be/1t6wcb6i3YM', 'video'],
    ['https://www.tiktok.com/@vinyleyezz/video/7266033179989921066', 'video'],
    ['https://www.reddit.com/r/Coffee/comments/ch0xou/best_espresso_machine', 'forum_thread'],
    ['https://www.quora.com/What-is-the-best-laptop', 'forum_thread'],
    ['https://news.ycombinator.com/item?id=1', 'forum_thread'],
    ['https://boardgamegeek.com/thread/3163117/board-game-for-a-group-of-8', 'forum_thread'],
    ['https://forum.example.com/viewtopic.php?t=5', 'forum_thread'],
    ['https://meta.discourse.group/t/some-question/1234', 'forum_thread'],
    ['https://docs.github.com/en/rest', 'documentation'],
    ['https://support.hp.com/us-en/document/ish_1716406-1413451-16', 'documentation'],
    ['https://react.dev/reference/react/useState', 'documentation'],
    ['https://www.rtings.com/tv/reviews/best/by-size/55-inch', 'listicle'],
    ['https://www.security.org/security-cameras/best', 'listicle'],
    ['https://www.cnet.com/tech/computing/best-cheap-gaming-laptop', 'listicle'],
    ['https://evmagazine.com/top10/top-10-luxury-electric-vehicles', 'listicle'],
    ['https://moneytalksnews.com/12-reasons-to-buy-used', 'listicle'],
    ['https://www.chip.de/die-besten-laptops-im-test', 'listicle'],
    ['https://elpais.com/escaparate/2024-11-11/mejores-camaras.html', 'listicle'],
    ['https://www.lesnumeriques.com/casque/les-meilleurs-casques-a123.html', 'listicle'],
    ['https://www.tomsguide.com/garmin-165-vs-coros-pace-3-which-should-you-buy', 'comparison'],
    ['https://espressosetupbuilder.com/machines/compare/bambino,gaggia', 'comparison'],
    ['https://www.check24.de/stromvergleich/', 'comparison'],
    ['https://zapier.com/blog/notion-alternatives', 'comparison'],
    ['https://www.gq.com/story/how-to-buy-a-basketball', 'how_to'],
    ['https://www.evo.com/guides/how-to-choose-the-best-ski-jacket', 'how_to'],
    ['https://recordhead.biz/turntable-buying-guide', 'how_to'],
    ['https://www.allrecipes.com/recipe/278166/vitamix-green-smoothie', 'how_to'],
    ['https://www.darty.com/comment-choisir-son-aspirateur', 'how_to'],
    ['https://www.wired.com/review/garmin-forerunner-255', 'review'],
    ['https://www.trustpilot.com/review/sony.com', 'review'],
    ['https://www.g2.com/products/slack/reviews', 'review'],
    ['https://www.techhive.com/article/1515386/fluance-rt81-turntable-review.html', 'review'],
    ['https://www.amazon.com/Best-Choice-Products-Grill/dp/B09D1GL68G', 'product'],
    ['https://hyperice.com/products/hypervolt-go-2', 'product'],
    ['https://shop.com/collections/best-sellers/products/blue-shirt', 'product'],
    ['https://www.bestbuy.com/site/sony-headphones/6505727.p?skuId=6505727', 'product'],
    ['https://www.amazon.com/best-earbuds/s?k=best+earbuds', 'category'],
    ['https://shop.com/collections/best-sellers', 'category'],
    ['https://www.target.com/c/swimsuits-women-s-clothing/-/N-5xtbw', 'category'],
    ['https://www.reddit.com/r/headphones', 'category'],
    ['https://example.com/blog', 'category'],
    ['https://chatgpt.com/?q=HP+Laptop', 'category'],
    ['https://en.wikipedia.org/wiki/Sony', 'article'],
    ['https://nypost.com/2025/05/22/shopping/pots-and-pans-set', 'article'],
    ['https://audio46.com/blogs/audio46-guidepost/bluetooth-on-a-budget', 'article'],
    ['https://coros.com/pace3', 'other'],
    ['https://images.openai.com/thumbnails/e5ca29c330752983.jpeg', 'other'],
  ])('%s is %s', (url, type) => {
    expect(contentType(url)).toBe(type)
  })
})

describe('the title tells where the address does not', () => {
  test.each<[string, ContentType]>([
    ['The 10 Best Laptops of 2025', 'listicle'],
    ['Best Cheap Laptops Under $500', 'listicle'],
    ['Top 10 laptops', 'listicle'],
    ['7 alternatives', 'listicle'],
    ['Die besten Laptops', 'listicle'],
    ['How to Choose a Laptop', 'how_to'],
    ['Cómo elegir un portátil', 'how_to'],
    ['Dell XPS 13 vs. MacBook Air', 'comparison'],
    ['Dell XPS 13 Review', 'review'],
    ['Best Buy', 'other'],
    ['', 'other'],
  ])('%j is %s', (title, type) => {
    expect(contentType('https://example.com/laptops', title)).toBe(type)
  })

  test('a title does not overrule the address', () => {
    expect(contentType('https://hyperice.com/products/go-2', 'Best Massage Gun Review')).toBe(
      'product',
    )
  })
})

test.skipIf(real.isAbsent)(
  'the real answers fall into the types as a reader would sort them',
  () => {
    const counts = new Map<ContentType, number>()
    for (const line of real.lines) {
      const answer = JSON.parse(line) as { citations: { url: string; title: string | null }[] }
      for (const { url, title } of answer.citations) {
        const type = contentType(normaliseUrl(url) ?? '', title)
        counts.set(type, (counts.get(type) ?? 0) + 1)
      }
    }
    const share = (type: ContentType) => (counts.get(type) ?? 0) / 2790
    expect(share('listicle')).toBeGreaterThan(0.4)
    expect(share('product')).toBeGreaterThan(0.1)
    expect(share('other')).toBeLessThan(0.06)
    expect([...counts.keys()].toSorted()).toEqual([...contentTypes].toSorted())
  },
)

test('any URL and title have a type, always the same, and soon', () => {
  const hostile = ['-', '/', '-a', '/best-', '%2d', '?q='].map(
    (part) => `https://a.com/${part.repeat(50_000)}!`,
  )
  const title = 'best '.repeat(50_000)
  const spentMs = cpuMsOf(() => {
    for (const url of hostile) expect(contentTypes).toContain(contentType(url, title))
  })
  expect(spentMs).toBeLessThan(500)
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.option(fc.string()), (url, title) => {
      expect(contentTypes).toContain(contentType(url, title))
      expect(contentType(url, title)).toBe(contentType(url, title))
    }),
  )
})
