import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import { Chart } from '../../parts/chart.tsx'
import { pointOf } from '../../parts/days.ts'
import { Delta } from '../../parts/figures.tsx'
import { HeatTable } from '../../parts/heat.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { saveCsv } from '../../parts/save.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'
import { type BelowProps, platformsOf } from './part.ts'

const topicsAtFirst = 10

/** The topics with answers, those of the lowest visibility first: they are where something can be won. */
function topicsOf({ topics }: BelowProps['found']) {
  return (topics?.nodes ?? [])
    .flatMap(({ id, name, visibility }) =>
      visibility && visibility.summary.answerCount > 0 ? [{ id, name, visibility }] : [],
    )
    .toSorted(
      (a, b) =>
        (a.visibility.summary.metrics.visibilityScore.value ?? 0) -
        (b.visibility.summary.metrics.visibilityScore.value ?? 0),
    )
}

/** Visibility of the own brand by topic, in all answers and on each AI platform. */
export function Topics({ project, found, asked }: BelowProps) {
  const [isWhole, setWhole] = useState(false)
  const columns = platformsOf(found).map(({ platform }) => ({
    key: platform.slug,
    name: platform.displayName,
  }))
  const rows = topicsOf(found).map(({ id, name, visibility }) => ({
    id,
    name,
    all: visibility.summary.metrics.visibilityScore,
    change: visibility.summary.changes?.visibilityScore,
    byPlatform: new Map(
      visibility.platforms.map(({ platform, metrics }) => [platform.slug, metrics.visibilityScore]),
    ),
  }))
  const written = [
    { name: t.columns.topic, value: ({ name }: (typeof rows)[number]) => name },
    { name: t.overview.allPlatforms, value: ({ all }: (typeof rows)[number]) => all.value },
    ...columns.map(({ key, name }) => ({
      name,
      value: ({ byPlatform }: (typeof rows)[number]) => byPlatform.get(key)?.value ?? null,
    })),
  ]
  return (
    <Panel
      title={t.overview.topics}
      sub={t.overview.topicsLead}
      asked={asked}
      saveCsv={rows.length > 0 ? () => saveCsv(t.overview.topics, written, rows) : undefined}
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.overview.noTopics}
        </Text>
      ) : (
        <HeatTable
          project={project}
          title={t.overview.topics}
          head={t.columns.topic}
          lead={t.overview.allPlatforms}
          columns={columns}
          rows={rows.slice(0, isWhole ? rows.length : topicsAtFirst).map((topic) => ({
            key: topic.id,
            head: (
              <PageLink project={project} to={['prompts']} state={{ topics: topic.id }} size="sm">
                {topic.name}
              </PageLink>
            ),
            lead: (
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <PageLink
                  project={project}
                  to={['answers']}
                  state={{ topics: topic.id }}
                  size="sm"
                  c="inherit"
                  fw={600}
                  title={t.overview.cellOf(topic.all.numerator, topic.all.denominator)}
                >
                  {shown(topic.all.value, 'percent')}
                </PageLink>
                <Delta change={topic.change} unit="percent" isSmall />
              </Group>
            ),
            cells: columns.map(({ key }) => {
              const cell = topic.byPlatform.get(key)
              return {
                key,
                value: cell?.value ?? null,
                state: { platforms: key, topics: topic.id },
                ...(cell && { note: t.overview.cellOf(cell.numerator, cell.denominator) }),
              }
            }),
          }))}
        />
      )}
      {rows.length > topicsAtFirst && !isWhole && (
        <Button size="xs" variant="default" mt="sm" onClick={() => setWhole(true)}>
          {t.tools.all(rows.length)}
        </Button>
      )}
    </Panel>
  )
}

/** Visibility of the own brand by location; nothing where all answers are of one. */
export function Locations({ project, found, asked }: BelowProps) {
  const { link } = useAddress()
  const rows = (found.visibilityByLocation?.nodes ?? []).map(({ location, metrics }) => ({
    id: location.id,
    name: t.place(location.countryCode, location.city),
    metric: metrics.visibilityScore,
  }))
  const idOf = new Map(rows.map(({ id, name }) => [name, id]))
  if (rows.length < 2) return null
  return (
    <Panel title={t.overview.locations} asked={asked}>
      <Chart
        chart={{
          title: t.overview.locations,
          section: t.overview.title,
          kind: 'bars',
          unit: 'percent',
          end: 100,
          points: rows.map(({ name, metric }) => pointOf(name, metric)),
        }}
        linkOf={(label) => {
          const id = idOf.get(label)
          return id && link(pathOf(project, 'answers'), { locations: id })
        }}
      />
    </Panel>
  )
}
