import { Button, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { FiltersDocument } from '../documents.ts'
import { dayMs } from '../parts/days.ts'
import type { PageProps } from '../parts/page.ts'
import { Loading } from '../parts/states.tsx'
import { useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

/** A project with answers needs none of the set-up's code. */
const SetupProgress = lazy(async () => ({
  default: (await import('./setup/setup.tsx')).SetupProgress,
}))

const shownDays = 30

/** Says where the answers of a project are, when the date range has none, and how the first ones come. */
export function NoData({ project }: PageProps) {
  const { set, window } = useAddress()
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  if (!data) return <Loading />
  const days = data.project?.dataAvailable
  if (!days) {
    return (
      <Suspense fallback={<Loading />}>
        <SetupProgress project={project} />
      </Suspense>
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
