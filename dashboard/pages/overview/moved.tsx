import { Anchor, Box, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { OverviewDetailsQuery } from '../../documents.ts'
import { changeText } from '../../parts/figures.tsx'
import { Panel } from '../../parts/panel.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'
import type { PartProps } from './part.ts'

type Investigation = NonNullable<NonNullable<OverviewDetailsQuery['project']>['investigate']>
type Driver = Investigation['drivers'][number]
type Dimension = keyof typeof t.overview.movedBy

const shownDrivers = 6

/** Contributions of one dimension, the largest first; the rest in one row, so that all rows add up to the change. */
function rowsOf(drivers: readonly Driver[], dimension: Dimension): Driver[] {
  const own = drivers
    .filter((driver) => driver.dimension === dimension && driver.contribution !== 0)
    .toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  const isRest = ({ key }: Driver) => key === 'other'
  const named = own.filter((driver) => !isRest(driver))
  const rest = [...own.filter(isRest), ...named.slice(shownDrivers)]
  const sum = rest.reduce((total, { contribution }) => total + contribution, 0)
  const [first] = rest
  return first && sum !== 0
    ? [
        ...named.slice(0, shownDrivers),
        { ...first, key: 'other', label: t.overview.others, contribution: sum },
      ]
    : named.slice(0, shownDrivers)
}

/** The page that shows what a driver counts; undefined for a row of several. */
function useLinkOf(project: string) {
  const { link } = useAddress()
  return ({ dimension, key }: Driver): string | undefined => {
    if (key === 'other' || key === 'none') return undefined
    if (dimension === 'prompt') return link(pathOf(project, 'prompts', key))
    if (dimension === 'topic') return link(pathOf(project, 'answers'), { topics: key })
    if (dimension === 'platform') return link(pathOf(project, 'answers'), { platforms: key })
    return link(pathOf(project, 'answers'), { locations: key })
  }
}

/** What made the change of visibility, by topic, AI platform, prompt or location. */
export function Moved({ project, found, asked }: PartProps) {
  const [dimension, setDimension] = useState<Dimension>('topic')
  const linkOf = useLinkOf(project)
  const investigation = found.investigate
  const rows = rowsOf(investigation?.drivers ?? [], dimension)
  const most = Math.max(...rows.map(({ contribution }) => Math.abs(contribution)), 0.1)
  return (
    <Panel title={t.overview.moved} asked={asked}>
      <SegmentedControl
        size="xs"
        fullWidth
        mb="sm"
        aria-label={t.overview.moved}
        value={dimension}
        onChange={(value) => setDimension(value as Dimension)}
        data={Object.entries(t.overview.movedBy).map(([value, label]) => ({ value, label }))}
      />
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.overview.movedNone}
        </Text>
      )}
      <Stack gap={10} component="ul" className="plain">
        {rows.map((driver) => {
          const { key, label, contribution } = driver
          const href = linkOf(driver)
          const name = key === 'none' ? t.overview.without : label
          return (
            <Box key={key} component="li">
              <Group justify="space-between" wrap="nowrap" gap="xs">
                {href ? (
                  <Anchor component={Link} href={href} size="sm" lineClamp={1} title={name}>
                    {name}
                  </Anchor>
                ) : (
                  <Text size="sm" c="dimmed">
                    {name}
                  </Text>
                )}
                <Text size="sm" fw={600} className="nowrap" c={contribution > 0 ? 'teal' : 'red'}>
                  {changeText(contribution, 'percent')}
                </Text>
              </Group>
              <Progress
                value={(Math.abs(contribution) / most) * 100}
                color={contribution > 0 ? 'teal' : 'red'}
                size="sm"
                aria-hidden
              />
            </Box>
          )
        })}
      </Stack>
      {investigation?.change != null && rows.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          {t.overview.movedSum(changeText(investigation.change, 'percent'))}
        </Text>
      )}
    </Panel>
  )
}
