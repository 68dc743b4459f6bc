import { describe, expect, test } from 'vitest'
import { faultsOf, judgeFirst, origin, readPage, soundHead, words } from './facts.ts'

const url = `${origin}/plain`
const text = (count: number) => `<p>${words(count)} ${url}</p>`
const withBody = (html: string) =>
  readPage({ body: `<main><h1>Acme</h1>${text(60)}${html}</main>` })
const withTitle = (title: string) => readPage({ head: soundHead(url, title) })
const withDescription = (description: string) =>
  readPage({ head: soundHead(url).replace(/content="A desc[^"]*"/, `content="${description}"`) })

/** Another page with other texts, except those that a test gives. */
const other = (head: string, body = `<main><h1>Other</h1><p>${words(70)} other</p></main>`) => {
  const url = `${origin}/other`
  return readPage({ url, head: head || soundHead(url, 'Another page of Acme'), body })
}

test.each([
  ['', ['title-missing']],
  ['123456789', ['title-length']],
  ['1234567890', []],
  ['x'.repeat(65), []],
  ['x'.repeat(66), ['title-length']],
])('the title "%s" has the faults %j', (title, faults) => {
  expect(faultsOf([withTitle(title)])).toEqual(faults)
})

test.each([
  ['', ['description-missing']],
  ['x'.repeat(49), ['description-length']],
  ['x'.repeat(50), []],
  ['x'.repeat(160), []],
  ['x'.repeat(161), ['description-length']],
])('the description "%s" has the faults %j', (description, faults) => {
  expect(faultsOf([withDescription(description)])).toEqual(faults)
})

test.each([
  ['<main><p></main>', ['h1-missing']],
  ['<main><h1> </h1></main>', ['h1-missing']],
  ['<main><h1>a</h1><h1>b</h1></main>', ['h1-multiple']],
  ['<main><h1>a</h1><h1 hidden>b</h1></main>', []],
  ['<main><h1>a</h1><h3>b</h3></main>', ['heading-order-skip']],
  ['<main><h1>a</h1><h2>b</h2><h3>c</h3><h2>d</h2></main>', []],
  ['<main><h1>a</h1><h2>b</h2><h4>c</h4><h6>d</h6></main>', ['heading-order-skip']],
])('the headings %s have the faults %j', (html, faults) => {
  const body = html.replace('</main>', `${text(60)}</main>`)
  expect(faultsOf([readPage({ body })])).toEqual(faults)
})

describe('duplicates', () => {
  const head = soundHead(url).replace(`href="${url}"`, `href="${origin}/other"`)

  test('of a title and a description count other pages that are no copies', () => {
    const { findings } = judgeFirst([readPage(), other(head)])
    expect(findings.map(({ check, affectedCount }) => [check, affectedCount])).toEqual([
      ['title-duplicate', 1],
      ['description-duplicate', 1],
    ])
    expect(findings[0]?.evidence).toEqual([{ address: `${origin}/other` }])
  })

  test('differ in more than case and white space', () => {
    expect(
      faultsOf([withTitle('a  PAGE about'), other(soundHead(`${origin}/other`, 'A page About'))]),
    ).toEqual(['title-duplicate'])
  })

  test('of the main text, from 40 words, are copies: their titles do not count', () => {
    const copy = (count: number) => {
      const body = `<main>${words(count)}<h1>a</h1></main>`
      return [readPage({ body }), other(head, body)]
    }
    expect(faultsOf(copy(39))).toEqual(['duplicate-content'])
    expect(faultsOf(copy(38))).toEqual(['title-duplicate', 'description-duplicate', 'thin-content'])
  })

  test('of pages that are not indexable do not count', () => {
    expect(faultsOf([readPage(), other(`${head}<meta name=robots content=noindex>`)])).toEqual([])
  })

  test('are found, but not excluded, in an audit of some pages', () => {
    const some = { isWholeSite: false }
    expect(judgeFirst([readPage()], some).evaluated).not.toContain('title-duplicate')
    expect(faultsOf([readPage(), other(head)], some)).toContain('title-duplicate')
  })
})

describe('thin content', () => {
  test.each([
    ['/plain', 39, true],
    ['/plain', 40, false],
    ['/products/shoe', 79, true],
    ['/products/shoe', 80, false],
    ['/blog/shoes', 199, true],
    ['/blog/shoes', 200, false],
    ['/docs/shoes', 199, true],
    ['/docs/shoes', 200, false],
  ])('%s with %i words is thin: %s', (path, count, isThin) => {
    const address = origin + path
    const page = readPage({
      url: address,
      head: soundHead(address),
      body: `<main>${words(count)}</main>`,
    })
    expect(faultsOf([page]).includes('thin-content')).toBe(isThin)
  })
})

test.each([
  ['<img src=a.png>', ['image-alt-missing']],
  ['<img src=a.png alt>', []],
  ['<img src=a.png role=presentation>', []],
  ['<img src=a.png aria-hidden=true>', []],
  ['<img src=a.png width=1 height=1>', []],
  ['<img src=a.png width=1 height=2>', ['image-alt-missing']],
  ['<p hidden><img src=a.png></p>', []],
  ['<p>Lorem  Ipsum dolor</p>', ['placeholder-text']],
])('%s has the faults %j', (html, faults) => {
  expect(faultsOf([withBody(html)])).toEqual(faults)
})

describe('the author of an article', () => {
  const article = (html: string) => {
    const url = `${origin}/blog/shoes`
    const dated =
      '<time datetime=2026-06-01></time><p itemscope itemtype="https://schema.org/Article">'
    return readPage({
      url,
      head: soundHead(url),
      body: `<main><h1>Acme</h1>${words(201)}${dated}${html}</main>`,
    })
  }

  test.each([
    ['', ['author-missing']],
    ['<a rel=author href=/me>Me</a>', []],
    ['<b itemprop=author>Me</b>', []],
    ['<meta name=author content=Me>', []],
  ])('is missing without %s: %j', (html, faults) => {
    expect(faultsOf([article(html)])).toEqual(faults)
  })
})
