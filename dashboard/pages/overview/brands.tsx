import { Avatar, Group, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import type { OverviewQuery } from '../../documents.ts'
import { ratioColumn } from '../../parts/columns.tsx'
import { Delta } from '../../parts/figures.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { t } from '../../texts/texts.ts'
import { type Ranked, rankedOf, useSureShares } from './ranked.ts'

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
  const rows = rankedOf(found, useSureShares(project))
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
