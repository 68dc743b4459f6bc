import { Avatar, Group, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import type { OneBrandFragment, OverviewQuery, SureFragment } from '../../documents.ts'
import { ratioColumn } from '../../parts/columns.tsx'
import { Delta } from '../../parts/figures.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'

type Found = Pick<NonNullable<OverviewQuery['project']>, 'brands' | 'shareOfVoice'>
type Voice = NonNullable<Found['shareOfVoice']>['nodes'][number]

/** A tracked brand with its share of voice. */
export interface Ranked extends Omit<OneBrandFragment, 'brand'> {
  readonly brand: NonNullable<OneBrandFragment['brand']>
  readonly sov: SureFragment
  readonly change: Voice['change']
}

/** The brands by their share of voice, the largest first: the place in this list is the rank. */
export function rankedOf({ brands, shareOfVoice }: Found): Ranked[] {
  const voices = new Map(shareOfVoice?.nodes.map((voice) => [voice.brand.id, voice]))
  const rows = (brands?.nodes ?? []).flatMap(({ brand, ...standing }) => {
    const voice = voices.get(brand?.id ?? '')
    return brand && voice
      ? [{ ...standing, brand, sov: voice.metrics.shareOfVoice, change: voice.change }]
      : []
  })
  return rows.toSorted((a, b) => (b.sov.value ?? 0) - (a.sov.value ?? 0))
}

interface BrandNameProps {
  readonly project: string
  readonly brand: { readonly id: string; readonly name: string; readonly isOwn: boolean }
}

/** The name of a brand; that of a competitor leads to its page. */
function BrandName({ project, brand }: BrandNameProps) {
  return (
    <Group gap={8} wrap="nowrap">
      <Avatar size={22} name={brand.name} color="initials" className="name-picture" aria-hidden />
      {brand.isOwn ? (
        <Text size="sm" fw={700} span>
          {brand.name}
        </Text>
      ) : (
        <PageLink project={project} to={['competitors', brand.id]} size="sm" c="inherit">
          {brand.name}
        </PageLink>
      )}
    </Group>
  )
}

export function brandColumns(
  project: string,
  ranks: ReadonlyMap<string, number>,
): readonly Column<Ranked>[] {
  return [
    {
      name: t.columns.brand,
      isText: true,
      value: ({ brand }) => brand.name,
      show: ({ brand }) => (
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" c="dimmed" w={14} span>
            {ranks.get(brand.id)}
          </Text>
          <BrandName project={project} brand={brand} />
        </Group>
      ),
    },
    ratioColumn(
      t.columns.visibility,
      'percent',
      ({ visibility }) => visibility.metrics.visibilityScore,
    ),
    {
      name: t.columns.share,
      value: ({ sov }) => sov.value,
      show: ({ sov, change }) => (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          {shown(sov.value, 'percent')}
          <Delta change={change} unit="percent" isSmall />
        </Group>
      ),
    },
    {
      ...ratioColumn<Ranked>(
        t.columns.position,
        'position',
        ({ visibility }) => visibility.metrics.averagePosition,
      ),
      isMinor: true,
    },
    {
      ...ratioColumn<Ranked>(
        t.columns.sentiment,
        'score',
        ({ sentiment }) => sentiment.metrics.score,
      ),
      isMinor: true,
    },
    {
      name: t.columns.mentions,
      isHidden: true,
      value: ({ visibility }) => visibility.mentionCount,
      show: ({ visibility }) => shown(visibility.mentionCount, 'count'),
    },
  ]
}

export const ranksOf = (rows: readonly Ranked[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ brand }, at) => [brand.id, at + 1]))

interface BrandsProps<V extends object> {
  readonly found: NonNullable<OverviewQuery['project']>
  readonly asked: Asked<OverviewQuery, V>
  readonly project: string
}

/** The tracked brands by rank. */
export function Brands<V extends object>({ found, asked, project }: BrandsProps<V>) {
  const rows = rankedOf(found)
  const range = found.visibility?.dateRange
  return (
    <Part
      title={t.overview.brands}
      lead={range && t.overview.brandsLead(range.from, range.to)}
      asked={asked}
      columns={brandColumns(project, ranksOf(rows))}
      rows={rows}
      keyOf={({ brand }) => brand.id}
      isOwn={({ brand }) => brand.isOwn}
      size={8}
    />
  )
}
