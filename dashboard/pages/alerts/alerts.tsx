import {
  Box,
  Button,
  Card,
  Group,
  Progress,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import {
  AlarmsDocument,
  type AlarmsQuery,
  MonitorsDocument,
  type MonitorsQuery,
} from '../../documents.ts'
import type { Opening, PageProps } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered, Loading } from '../../parts/states.tsx'
import { useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { prefetchPages, usePages } from '../../state/pages.ts'
import { alerts as texts } from '../../texts/english/alerts.ts'
import { t } from '../../texts/texts.ts'
import { AlarmCard } from './alarm.tsx'
import { Monitors } from './monitors.tsx'

type Monitor = NonNullable<NonNullable<MonitorsQuery['project']>['monitors']>['nodes'][number]

/** One for each kind that has a part of the budget. */
const colours = [
  'indigo.6',
  'teal.5',
  'orange.6',
  'grape.6',
  'cyan.6',
  'pink.5',
  'lime.7',
  'yellow.5',
  'gray.6',
] as const

const percent = (share: number) => `${Math.round(100 * share)}%`

/** The parts of the budget by kind, under the title that the monitors of a kind share. */
function partsOf(monitors: readonly Monitor[]) {
  const weighed = monitors.flatMap((monitor) =>
    monitor.falseAlarmsPerYear === null ? [] : [{ ...monitor, part: monitor.falseAlarmsPerYear }],
  )
  return [...Map.groupBy(weighed, ({ kind }) => kind)].map(([kind, of], at) => {
    const [first] = of
    const title = first?.title ?? ''
    return {
      kind,
      title: of.length > 1 ? texts.several(title.split(': ')[0] ?? title, of.length) : title,
      part: of.reduce((sum, { part }) => sum + part, 0),
      colour: colours[at % colours.length] ?? 'gray.6',
    }
  })
}

/** The promise in one sentence, and how the monitors divide it. */
function Pledge({ monitors }: { readonly monitors: readonly Monitor[] }) {
  const parts = partsOf(monitors)
  return (
    <Card component="section" aria-label={texts.budget} mb="md">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconShieldCheck size={28} stroke={1.5} aria-hidden className="promise-icon" />
        <Stack gap={6} flex={1} miw={0}>
          <Text fw={600}>{texts.promise}</Text>
          <Text size="sm" c="dimmed">
            {texts.promiseHint}
          </Text>
          {parts.length > 0 && (
            <>
              <Progress.Root size="lg" aria-hidden>
                {parts.map(({ kind, part, colour }) => (
                  <Progress.Section key={kind} value={100 * part} color={colour} withAria={false} />
                ))}
              </Progress.Root>
              <Text size="xs" c="dimmed">
                {texts.budget}
              </Text>
              <Group component="ul" gap="xs" className="plain" aria-label={texts.budget}>
                {parts.map(({ kind, title, part, colour }) => (
                  <Group component="li" key={kind} gap={6} wrap="nowrap">
                    <Box w={10} h={10} bg={colour} flex="none" aria-hidden />
                    <Text size="xs">
                      {title} {percent(part)}
                    </Text>
                  </Group>
                ))}
              </Group>
            </>
          )}
        </Stack>
      </Group>
    </Card>
  )
}

const states = ['open', 'closed'] as const
type State = (typeof states)[number]

const stateOf = (state: string | undefined): State => (state === 'closed' ? 'closed' : 'open')

const variablesOf = (project: string, state: State) => ({ project, isOpen: state === 'open' })

const alarmsOf = ({ project }: AlarmsQuery) => project?.alarms

const useAlarms = (project: string, state: State) =>
  usePages(AlarmsDocument, variablesOf(project, state), alarmsOf)

export const alertsOpening: Opening =
  ({ project, state }) =>
  (queries) => {
    prefetch(MonitorsDocument, { project })(queries)
    prefetchPages(AlarmsDocument, variablesOf(project, stateOf(state.state)), alarmsOf)(queries)
  }

/** Alarms of one state, newest first. */
function Alarms({ project, state }: { readonly project: string; readonly state: State }) {
  const paged = useAlarms(project, state)
  return (
    <Answered query={paged.query} loading={<Skeleton h={22} />}>
      {() =>
        paged.rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.none[state]}
          </Text>
        ) : (
          <Stack gap="md">
            {paged.rows.map((alarm) => (
              <AlarmCard key={alarm.id} project={project} alarm={alarm} />
            ))}
            {paged.more && (
              <Button variant="default" loading={paged.isLoadingMore} onClick={paged.more}>
                {t.tools.more}
              </Button>
            )}
          </Stack>
        )
      }
    </Answered>
  )
}

/** What changed and is not chance, what is wrong with the data, and what looks for both. */
export function Alerts({ project }: PageProps) {
  const { state, set } = useAddress()
  const shown = stateOf(state.state)
  const variables = { project: project.id }
  const monitors = useQuestion(MonitorsDocument, variables)
  const [opened] = useState<State>(shown)
  const { query: alarms } = useAlarms(project.id, opened)
  // Nothing moves down when the one or the other comes.
  if (!alarms.data && !alarms.error) return <Loading />
  if (!monitors.data) return <Answered query={monitors}>{() => null}</Answered>
  return (
    <>
      <Pledge monitors={monitors.data.project?.monitors?.nodes ?? []} />
      <Panel
        title={texts.alerts}
        asked={{ document: AlarmsDocument, variables: variablesOf(project.id, shown) }}
        right={
          <SegmentedControl
            size="xs"
            aria-label={texts.state}
            value={shown}
            onChange={(value) => set({ state: value === 'open' ? undefined : value })}
            data={states.map((value) => ({ value, label: texts[value] }))}
          />
        }
      >
        <Alarms project={project.id} state={shown} />
      </Panel>
      <Answered query={monitors}>
        {({ project: found }) => (
          <Monitors
            project={project.id}
            monitors={found?.monitors?.nodes ?? []}
            models={found?.modelChanges?.nodes ?? []}
          />
        )}
      </Answered>
    </>
  )
}
