import { Table, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import { PageLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/texts.ts'
import type { Ranked } from './brands.tsx'
import type { PartProps } from './part.ts'

const mostBrands = 7
const mostPlatforms = 6

interface MatrixProps extends PartProps {
  readonly brands: readonly Ranked[]
}

/** Visibility of each brand on each AI platform, the own brand first. */
export function Matrix({ project, found, asked, brands }: MatrixProps) {
  const platforms = (found.visibilityByPlatform?.platforms ?? [])
    .toSorted((a, b) => b.responses - a.responses)
    .slice(0, mostPlatforms)
    .map(({ platform }) => ({
      id: platform.slug,
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
  const leads = (values: ReadonlyMap<string | undefined, number | null>) =>
    Math.max(...rows.map(({ brand }) => values.get(brand.id) ?? 0))
  return (
    <Panel title={t.overview.matrix} sub={t.overview.matrixLead} asked={asked}>
      <Table.ScrollContainer minWidth={420} type="native">
        <Table
          verticalSpacing={4}
          horizontalSpacing={4}
          highlightOnHover={false}
          aria-label={t.overview.matrix}
          className="matrix"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.columns.brand}</Table.Th>
              {platforms.map(({ id, name }) => (
                <Table.Th key={id} ta="center" fz="xs" scope="col">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ brand }) => (
              <Table.Tr key={brand.id}>
                <Table.Th scope="row">
                  <Text size="sm" fw={brand.isOwn ? 700 : 400}>
                    {brand.name}
                  </Text>
                </Table.Th>
                {platforms.map(({ id, values }) => {
                  const value = values.get(brand.id) ?? null
                  return (
                    <Table.Td key={id} ta="center">
                      <PageLink
                        project={project}
                        to={['answers']}
                        state={{ platforms: id, brand: brand.id }}
                        size="md"
                        className="cell"
                        data-leads={
                          (value !== null && value > 0 && value === leads(values)) || undefined
                        }
                        style={{ '--strength': `${value ?? 0}%` }}
                        c="inherit"
                        underline="never"
                      >
                        {value === null ? '–' : shown(value, 'percent')}
                      </PageLink>
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}
