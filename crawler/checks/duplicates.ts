import { folded } from '../document/text.ts'
import type { ReadContext } from './site-context.ts'

/** URLs of other indexable pages with the same text, in order. */
export interface Duplicates {
  /** With the same title and another main part. */
  readonly titles: readonly string[]
  /** With the same description and another main part. */
  readonly descriptions: readonly string[]
  /** With the same main part, of 40 words or more. */
  readonly mains: readonly string[]
}

/** Groups of pages by a text; pages without the text are in no group. */
function groupsBy(pages: readonly ReadContext[], textOf: (page: ReadContext) => string | null) {
  const groups = new Map<string, ReadContext[]>()
  for (const page of pages) {
    const text = textOf(page)
    if (text === null) continue
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [page])
    else group.push(page)
  }
  return groups
}

/** Keeps a page of thousands of equal titles from holding all of them. */
const mostUrls = 1000

/** Finds the duplicates of indexable pages. */
export function duplicatesAmong(pages: readonly ReadContext[]): (page: ReadContext) => Duplicates {
  const mainOf = ({ document }: ReadContext) => (document.mainWords < 40 ? null : document.mainKey)
  const titleOf = ({ document: { title } }: ReadContext) => title && folded(title)
  const descriptionOf = ({ document: { description } }: ReadContext) =>
    description && folded(description)
  const titles = groupsBy(pages, titleOf)
  const descriptions = groupsBy(pages, descriptionOf)
  const mains = groupsBy(pages, mainOf)

  const others = (group: readonly ReadContext[] | undefined, page: ReadContext, copies: boolean) =>
    (group ?? [])
      .filter((other) => {
        const main = mainOf(page)
        const isCopy = main !== null && mainOf(other) === main
        return other.page !== page.page && (copies || !isCopy)
      })
      .map((other) => other.page.url)
      .slice(0, mostUrls)

  return (page) => ({
    titles: others(titles.get(titleOf(page) ?? ''), page, false),
    descriptions: others(descriptions.get(descriptionOf(page) ?? ''), page, false),
    mains: others(mains.get(mainOf(page) ?? ''), page, true),
  })
}
