import { contentType } from '../sites/content-types.ts'
import { mostPages, type NavigationLink } from './site.ts'
import { isGeneral, ownBusiness } from './words.ts'

/** Files that are no pages. */
const file = /\.(?!html?$|php$|aspx?$)[a-z0-9]{2,5}$/i
/** Of one folder: its pages are much alike. */
const mostOfFolder = 3

/**
 * The pages that say most of a site beside its front page: those of its navigation, then guides, comparisons, products
 * and categories.
 * @param links own addresses in the order of the front page
 */
export function pagesToRead(
  front: string,
  navigation: readonly NavigationLink[],
  links: readonly string[],
): string[] {
  const inNavigation = new Map(
    navigation.filter(({ text }) => !isGeneral(text)).map(({ address }, at) => [address, at]),
  )
  const rank = (address: string): number => {
    const kind = contentType(address, '')
    if (/\/(?:faq|faqs|questions)(?:[/._-]|$)/i.test(address)) return 0
    if (inNavigation.has(address)) return 1
    if (['how_to', 'comparison', 'listicle'].includes(kind)) return 2
    if (['category', 'product'].includes(kind)) return 3
    return kind === 'article' ? 4 : 5
  }
  const wanted = [...new Set([...inNavigation.keys(), ...links])].filter((address) => {
    const { pathname, search } = new URL(address)
    return address !== front && pathname !== '/' && search === '' && !file.test(pathname)
  })
  const useful = wanted.filter((address) => !ownBusiness.test(new URL(address).pathname))
  const ranked = useful
    .map((address, at) => ({ address, at, rank: rank(address) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
  const ofFolder = new Map<string, number>()
  return ranked
    .filter(({ address }) => {
      const { pathname } = new URL(address)
      const folder = pathname.slice(0, pathname.replace(/\/$/, '').lastIndexOf('/') + 1)
      const before = ofFolder.get(folder) ?? 0
      ofFolder.set(folder, before + 1)
      return folder === '/' || before < mostOfFolder
    })
    .map(({ address }) => address)
    .slice(0, mostPages - 1)
}
