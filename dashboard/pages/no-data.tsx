import { Button, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { FiltersDocument } from '../documents.ts'
import { dayMs } from '../parts/days.ts'
import type { PageProps } from '../parts/page.ts'
import { Loading } from '../parts/states.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

const shownDays = 30

/** Says where the answers of a project are, when the date range has none, and how the first ones come. */
export function NoData({ project }: PageProps) {
  const { set, link, window } = useAddress()
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  if (!data) return <Loading />
  const days = data.project?.dataAvailable
  if (!days) {
    return (
      <Stack gap="xs">
        <Title order={2}>{t.overview.noneAtAll}</Title>
        <Text c="dimmed">{t.overview.noneAtAllLead}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} mt="sm">
          {Object.entries(t.overview.steps).map(([page, { title, text }]) => (
            <Card
              key={page}
              component={Link}
              href={link(pathOf(project.id, page))}
              className="step"
            >
              <Text fw={600}>{title}</Text>
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
      </Stack>
    )
  }
  const first = Date.parse(days.to) - (shownDays - 1) * dayMs
  const from = new Date(Math.max(first, Date.parse(days.from))).toISOString().slice(0, 10)
  const show = {
    from,
    to: days.to,
    days: undefined,
    platforms: undefined,
    locations: undefined,
    topics: undefined,
    branded: undefined,
  }
  return (
    <Stack align="center" py="xl" gap="xs" ta="center">
      <Title order={2}>{t.overview.noData}</Title>
      <Text c="dimmed">{t.overview.dataFrom(days.from, days.to)}</Text>
      <Button onClick={() => set(show)}>{t.overview.showData}</Button>
    </Stack>
  )
}
