import { ownHost, ownPaths } from '../sources.ts'

/** Pages that no answer cites and no crawler asks for. */
const hiddenPaths = ['/imprint', '/careers', '/stores/berlin', '/press/2024', '/repair-partners']

/** The paths of the site, which its sitemap lists. */
export const sitePaths: readonly string[] = [...ownPaths(), ...hiddenPaths]

/** Pages whose text is imported. */
export const importedPaths = ownPaths().filter((_, at) => at % 2 === 0)

/** The site of the demonstration is served over http: no certificate exists for an invented name. */
const siteOrigin = `http://${ownHost}`

export const addressOf = (path: string) => `${siteOrigin}${path}`

/** The sitemap of the site, whose pages changed on `endDay`. */
export function sitemapOf(endDay: string): string {
  const urls = sitePaths.map(
    (path) => `<url><loc>${addressOf(path)}</loc><lastmod>${endDay}</lastmod></url>`,
  )
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}
