import { shown } from '../../../web/share/numbers.ts'
import {
  AllAdsDocument,
  AllProductsDocument,
  ShoppingAndAdsDocument,
  type ShoppingAndAdsQuery,
} from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { DomainLink, PageLink, PromptLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { PageProps } from '../../parts/page.ts'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'

type Found = NonNullable<ShoppingAndAdsQuery['project']>
type Product = NonNullable<Found['shopping']>['nodes'][number]
type Advertiser = NonNullable<Found['advertisers']>['nodes'][number]
type Ad = NonNullable<Found['ads']>['nodes'][number]

const { competitors: texts } = t

const productColumns = (project: string): readonly Column<Product>[] => [
  textColumn(
    texts.product,
    ({ name }) => name,
    ({ name }) => (
      <PageLink project={project} to={['answers']} state={{ search: `"${name}"` }}>
        {name}
      </PageLink>
    ),
  ),
  { ...textColumn<Product>(t.columns.brand, ({ brand }) => brand ?? ''), isMinor: true },
  countColumn(texts.shownIn, ({ shownIn }) => shownIn),
  {
    ...textColumn<Product>(t.shell.platforms, ({ platforms }) =>
      platforms.map(({ displayName }) => displayName).join(', '),
    ),
    isMinor: true,
  },
]

const advertiserColumns = (project: string): readonly Column<Advertiser>[] => [
  textColumn(texts.advertiser, ({ advertiser }) => advertiser),
  {
    ...textColumn<Advertiser>(
      t.columns.domain,
      ({ domain }) => domain ?? '',
      ({ domain }) => domain && <DomainLink project={project} domain={domain} />,
    ),
    isMinor: true,
  },
  {
    name: texts.shareOfAds,
    value: ({ shareOfAds }) => shareOfAds,
    show: ({ shareOfAds }) => shown(shareOfAds, 'percent'),
  },
  countColumn(t.columns.answers, ({ shownIn }) => shownIn),
]

const adColumns = (project: string): readonly Column<Ad>[] => [
  textColumn(texts.advertiser, ({ advertiser }) => advertiser),
  textColumn(
    texts.ad,
    ({ title, url }) => title ?? url ?? '',
    ({ title, url }) => (url ? <Outside url={url} {...(title && { name: title })} /> : title),
  ),
  textColumn(
    t.columns.prompt,
    ({ prompt }) => prompt.text,
    ({ prompt }) => <PromptLink project={project} prompt={prompt} />,
  ),
  { ...textColumn<Ad>(t.columns.platform, ({ platform }) => platform.displayName), isMinor: true },
  countColumn(texts.impressions, ({ impressions }) => impressions),
]

/** Products and ads in the answers; nothing for a project whose answers have none. */
export function ShoppingAndAds({ project }: PageProps) {
  const { window, filter } = useAddress()
  const variables = {
    project: project.id,
    window,
    filter,
    products: filter.platforms ? { platforms: filter.platforms } : {},
  }
  const asked = { document: ShoppingAndAdsDocument, variables }
  const found = useQuestion(ShoppingAndAdsDocument, variables).data?.project
  const products = found?.shopping?.nodes ?? []
  const advertisers = found?.advertisers?.nodes ?? []
  const ads = found?.ads?.nodes ?? []
  return (
    <>
      {products.length > 0 && (
        <Part
          title={texts.products}
          lead={texts.productsLead}
          asked={asked}
          columns={productColumns(project.id)}
          rows={products}
          total={found?.shopping?.totalCount}
          whole={() => wholeList(AllProductsDocument, variables, (all) => all.project?.shopping)}
          keyOf={({ productId }) => productId}
          isOwn={({ brand }) => brand === project.name}
        />
      )}
      {advertisers.length > 0 && (
        <Part
          title={texts.advertisers}
          lead={texts.advertisersLead}
          asked={asked}
          columns={advertiserColumns(project.id)}
          rows={advertisers}
          keyOf={({ advertiser, domain }) => `${advertiser} ${domain}`}
          isOwn={({ advertiser }) => advertiser === project.name}
        />
      )}
      {ads.length > 0 && (
        <Part
          title={texts.ads}
          asked={asked}
          columns={adColumns(project.id)}
          rows={ads}
          total={found?.ads?.totalCount}
          whole={() => wholeList(AllAdsDocument, variables, (all) => all.project?.ads)}
          keyOf={({ adId }) => adId}
        />
      )}
    </>
  )
}
