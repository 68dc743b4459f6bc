import { dressedHost, dressedUrl, hostLabels } from '../core/sites/cited-url.ts'

/**
 * A page may be cited at several addresses, on the hosts that show its site: `www.example.com/a` and `m.example.com/a`.
 * An answer cites one of them once, so that answers of the addresses add up to those of the page.
 */

const text = (value: string) => `'${value.replaceAll('\\', '\\\\')}'`

/** The same for all addresses of a page; `undressed` of the core for statements. */
export const pageOf = (url: string) =>
  `replaceRegexpOne(${url}, ${text(dressedUrl)}, ${text('https://\\1')})`

/** The pages of bound URLs, in their order. */
export const pagesOf = (urls: string) => `arrayMap(address -> ${pageOf('address')}, ${urls})`

const labels = hostLabels.map((label) => `'https://${label}'`).join(', ')

/**
 * All addresses of the pages of bound URLs, to stand after `IN`. A test on these is several times as fast as one on
 * `pageOf`. As a query they are made once: as an array, the engine makes them again for each row.
 */
export const addressesOf = (urls: string) =>
  `(SELECT arrayJoin(arrayFlatten(arrayMap(page -> arrayMap(label -> concat(label, substring(page, 9)), [${labels}]), ${pagesOf(urls)}))))`

/** The address of a page that most answers cite; of several, the first by name. */
export const mostCited = (address: string, times: string) =>
  `argMin(${address}, (-toInt64(${times}), ${address}))`

/** A host without the label that only shows its site in another dress; `bareHost` of the core for statements. */
export const bareHostOf = (host: string) =>
  `replaceRegexpOne(${host}, ${text(dressedHost)}, ${text('\\1')})`

/** What `pageOf` distinguishes, for many citations: hosts are few, so that their texts are replaced once each. */
export const pageHash = `cityHash64(${bareHostOf('host')}, substring(url, 9 + length(host)))`
