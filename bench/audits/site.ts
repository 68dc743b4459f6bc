// A site of any number of pages, in a process of its own. It sends its port to its parent.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { soundPage } from '../../test/kit/small-site.ts'

/** Links of a page to others: a chain that reaches all pages, and no page but these. */
const linksOf = (at: number, pages: number) =>
  Array.from({ length: 40 }, (_, i) => `<a href="/page/${(at + i + 1) % pages}">Page</a>`).join(' ')

const pages = Number(process.argv[2])
const text =
  '<p>Twenty words of text that say nothing at all, so that a page is as long as many pages are today.</p>'

const server = createServer(({ url = '/' }, response) => {
  const [, at] = /^\/page\/(\d+)$/.exec(url) ?? []
  if (at === undefined) {
    response.writeHead(url === '/robots.txt' ? 200 : 404, { 'content-type': 'text/plain' }).end()
    return
  }
  const more = `${text.repeat(100)}${linksOf(Number(at), pages)}</main>`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(soundPage(url).replace('</main>', more))
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => process.exit())
