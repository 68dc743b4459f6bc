import { Text } from '@mantine/core'
import { HeatTable } from '../../parts/heat.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/texts.ts'
import { type PartProps, platformsOf } from './part.ts'
import type { Ranked } from './ranked.ts'

const mostBrands = 7

interface MatrixProps extends PartProps {
  readonly brands: readonly Ranked[]
}

/** Visibility of each brand on each AI platform, the own brand first. */
export function Matrix({ project, found, asked, brands }: MatrixProps) {
  const columns = platformsOf(found).map(({ platform }) => ({
    key: platform.slug,
    name: platform.displayName,
    values: new Map(
      (platform.brands?.nodes ?? []).map(({ brand, visibility }) => [
        brand?.id,
        visibility.metrics.visibilityScore.value,
      ]),
    ),
  }))
  const rows = [
    ...brands.filter(({ brand }) => brand.isOwn),
    ...brands.filter(({ brand }) => !brand.isOwn),
  ].slice(0, mostBrands)
  const leading = (values: ReadonlyMap<string | undefined, number | null>) =>
    Math.max(...rows.map(({ brand }) => values.get(brand.id) ?? 0))
  return (
    <Panel title={t.overview.matrix} sub={t.overview.matrixLead} asked={asked}>
      <HeatTable
        project={project}
        title={t.overview.matrix}
        head={t.columns.brand}
        columns={columns}
        rows={rows.map(({ brand }) => ({
          key: brand.id,
          head: (
            <Text size="sm" fw={brand.isOwn ? 700 : 400}>
              {brand.name}
            </Text>
          ),
          isOther: !brand.isOwn,
          cells: columns.map(({ key, values }) => {
            const value = values.get(brand.id) ?? null
            return {
              key,
              value,
              state: { platforms: key, brand: brand.id },
              isOutlined: value !== null && value > 0 && value === leading(values),
            }
          }),
        }))}
      />
    </Panel>
  )
}
