import { countColumn, textColumn } from '../../parts/columns.tsx'
import { DomainLink, PageLink } from '../../parts/links.tsx'
import type { Column } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'

type SourceType = keyof typeof t.sourceTypes
type ContentType = keyof typeof t.contentTypes

interface CitedDomain {
  readonly domain: string
  readonly type: SourceType
}

interface CitedPage {
  readonly url: string
  readonly title: string
  readonly contentType: ContentType
}

/** A cited domain, and what it is. */
export const domainColumns = <Row extends CitedDomain>(project: string): readonly Column<Row>[] => [
  textColumn(
    t.columns.domain,
    ({ domain }) => domain,
    ({ domain }) => <DomainLink project={project} domain={domain} />,
  ),
  textColumn(t.columns.type, ({ type }) => t.sourceTypes[type]),
]

/** A cited domain, and how many answers of the set cite it. */
export const sourceColumns = <Row extends CitedDomain & { readonly citedIn: number }>(
  project: string,
): readonly Column<Row>[] => [
  ...domainColumns<Row>(project),
  countColumn(t.columns.answers, ({ citedIn }) => citedIn),
]

/** A cited page by its title and address, and what it is. */
export const pageColumns = <Row extends CitedPage>(project: string): readonly Column<Row>[] => [
  {
    name: t.columns.page,
    isText: true,
    value: ({ url }) => url,
    show: ({ url, title }) => {
      const address = url.replace(/^https?:\/\/(www\.)?/, '')
      // Some answers give the address of a page as its title.
      const name = title === url ? '' : title
      return (
        <>
          <PageLink project={project} to={['sources', url]}>
            {name || address}
          </PageLink>
          {name && <div className="address">{address}</div>}
        </>
      )
    },
  },
  {
    ...textColumn<Row>(t.columns.type, ({ contentType }) => t.contentTypes[contentType]),
    isMinor: true,
  },
]
