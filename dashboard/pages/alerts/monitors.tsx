import {
  Badge,
  Box,
  Button,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { shown } from '../../../web/share/numbers.ts'
import {
  AddMonitorDocument,
  FiltersDocument,
  MonitorsDocument,
  type MonitorsQuery,
  type OwnMonitorKind,
  RemoveMonitorDocument,
  SwitchMonitorDocument,
} from '../../documents.ts'
import { Act, Fault } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { alerts as texts } from '../../texts/english/alerts.ts'
import { t } from '../../texts/texts.ts'
import { isMuted, Mute } from './mute.tsx'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

type Project = NonNullable<MonitorsQuery['project']>
type Monitor = NonNullable<Project['monitors']>['nodes'][number]
type Model = NonNullable<Project['modelChanges']>['nodes'][number]

interface MonitorsProps {
  readonly project: string
  readonly monitors: readonly Monitor[]
  readonly models: readonly Model[]
}

const number = (value: number) => (value >= 100 ? shown(value, 'count') : value.toPrecision(2))

/** Percent of the way to an alert. Days multiply the evidence, so its logarithm is what grows by steps. */
const nearness = (evidence: number, threshold: number) =>
  (100 * Math.log1p(Math.min(evidence, threshold))) / Math.log1p(threshold)

function Facts({ monitor }: { readonly monitor: Monitor }) {
  const { falseAlarmsPerYear, evidence, threshold, blockDays, status, referenceDays } = monitor
  return (
    <>
      {status === 'few_days' && (
        <Text size="xs" c="dimmed">
          {texts.fewDays(referenceDays)}
        </Text>
      )}
      <Group gap="md">
        {falseAlarmsPerYear !== null && (
          <Text size="xs" c="dimmed">
            {texts.allowed(number(falseAlarmsPerYear))}
          </Text>
        )}
        {evidence !== null && threshold !== null && (
          <Tooltip label={texts.nearHint(number(evidence), number(threshold))} multiline maw={320}>
            <Text size="xs" c="dimmed">
              {texts.near(shown(nearness(evidence, threshold), 'percent'))}
            </Text>
          </Tooltip>
        )}
      </Group>
      {blockDays > 1 && (
        <Text size="xs" c="dimmed">
          {texts.blocks(blockDays)}
        </Text>
      )}
    </>
  )
}

/** The days of a monitor with their usual range, and marks where a model changed. */
function Series({
  monitor,
  models,
}: {
  readonly monitor: Monitor
  readonly models: readonly Model[]
}) {
  const { title, points, unit, band, referenceFrom } = monitor
  if (unit === null) return null
  const from = points[0]?.date ?? ''
  const reference = points.findIndex(({ date }) => date >= (referenceFrom ?? ''))
  const shownModels = unit === 'count' ? [] : models.filter(({ date }) => date >= from)
  const marks = shownModels.map(({ date }, at) => ({
    at: points.findLastIndex((point) => point.date <= date),
    label: String(at + 1),
  }))
  const values = points.map(({ value }) => value)
  const known = values.filter((value) => value !== null)
  return (
    <>
      <Suspense fallback={<Skeleton h={200} />}>
        <Lines
          title={title}
          unit={unit}
          labels={points.map(({ date }) => t.dayOfYear(date))}
          series={[{ name: title, isOwn: true, values }]}
          spoken={texts.chart(
            title,
            shown(known[0] ?? null, unit),
            shown(known.at(-1) ?? null, unit),
          )}
          height={200}
          marks={marks}
          {...(band && { band: { ...band, label: texts.band, from: reference } })}
        />
      </Suspense>
      {shownModels.length > 0 && (
        <ol className="plain events" aria-label={texts.models}>
          {shownModels.map(({ date, platform, model }, at) => (
            <Group component="li" key={`${date} ${model}`} gap={6} wrap="nowrap" align="flex-start">
              <Badge size="xs" color="gray" circle>
                {at + 1}
              </Badge>
              <Text size="xs">{texts.model(t.dayOfYear(date), platform.displayName, model)}</Text>
            </Group>
          ))}
        </ol>
      )}
    </>
  )
}

function Changes({ project, monitor }: { readonly project: string; readonly monitor: Monitor }) {
  const { id, title, isEnabled, isOwn } = monitor
  return (
    <>
      {isEnabled && <Mute project={project} monitor={monitor} />}
      <Act
        label={isEnabled ? texts.turnOff : texts.turnOn}
        of={title}
        document={SwitchMonitorDocument}
        variables={{ project, id, isEnabled: !isEnabled }}
      />
      {isOwn && (
        <Act
          label={texts.remove}
          of={title}
          document={RemoveMonitorDocument}
          variables={{ project, id }}
          confirm={texts.removeGoes}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly project: string
  readonly monitor: Monitor
  readonly models: readonly Model[]
}

function Row({ project, monitor, models }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { title, status, points, unit } = monitor
  const muted = isMuted(monitor)
  return (
    <Stack gap={4} component="article" aria-label={title} className="opportunity">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="md">
        <Stack gap={2} flex={1} miw={0}>
          <Group gap="xs">
            <Title order={3} size="h5" className="wrap">
              {title}
            </Title>
            {status !== 'watching' && <Badge color="gray">{texts.statuses[status]}</Badge>}
            {muted && (
              <Badge color="gray">{texts.mutedUntil(t.day(monitor.muteEndsAt ?? ''))}</Badge>
            )}
          </Group>
          <Facts monitor={monitor} />
        </Stack>
        {unit && points.length > 1 && !isOpen && (
          <Box w={120} flex="none">
            <Sparkline
              values={points.map(({ value }) => value)}
              label={title}
              unit={unit}
              width={120}
              height={32}
            />
          </Box>
        )}
      </Group>
      {isOpen && <Series monitor={monitor} models={models} />}
      <Group gap="xs">
        {unit && points.length > 1 && (
          <Button
            size="compact-xs"
            variant="light"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? texts.hide : texts.show}: ${title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? texts.hide : texts.show}
          </Button>
        )}
        <Changes project={project} monitor={monitor} />
      </Group>
    </Stack>
  )
}

/** Adds a monitor of one AI platform or topic. */
function Add({ project }: { readonly project: string }) {
  const { data, isPending } = useQuestion(FiltersDocument, { project })
  const change = useChange(AddMonitorDocument)
  const may = useMay()
  const [kind, setKind] = useState<OwnMonitorKind>('visibility_fell')
  const [of, setOf] = useState<string | null>(null)
  const platforms = data?.project?.visibilityByPlatform?.platforms ?? []
  const topics = data?.project?.topics?.nodes ?? []
  if (!may(AddMonitorDocument)) return null
  if (isPending) return <Skeleton h={88} />
  if (platforms.length + topics.length === 0) return null
  const choices = [
    {
      group: texts.platforms,
      items: platforms.map(({ platform: { slug, displayName } }) => ({
        value: `platform ${slug}`,
        label: displayName,
      })),
    },
    {
      group: texts.topics,
      items: topics.map(({ id, name }) => ({ value: `topic ${id}`, label: name })),
    },
  ].filter(({ items }) => items.length > 0)
  function add() {
    const [type, value = ''] = (of ?? '').split(/ (.*)/s)
    const variables = type === 'topic' ? { topic: value } : { platform: value }
    change.mutate({ project, kind, ...variables }, { onSuccess: () => setOf(null) })
  }
  return (
    <Box className="opportunity">
      <Group gap="xs" align="flex-end">
        <Select
          size="xs"
          label={texts.kind}
          data={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(value) => setKind((value ?? 'visibility_fell') as OwnMonitorKind)}
          allowDeselect={false}
        />
        <Select size="xs" label={texts.of} data={choices} value={of} onChange={setOf} searchable />
        <Button size="xs" disabled={of === null} loading={change.isPending} onClick={add}>
          {texts.save}
        </Button>
      </Group>
      <Fault error={change.error} />
    </Box>
  )
}

/** What looks for alarms: monitors with their series, and rules. */
export function Monitors({ project, monitors, models }: MonitorsProps) {
  const asked = { document: MonitorsDocument, variables: { project } }
  const row = (monitor: Monitor) => (
    <Row key={monitor.id} project={project} monitor={monitor} models={models} />
  )
  return (
    <>
      <Panel title={texts.monitors} sub={texts.monitorsHint} asked={asked}>
        {monitors.filter(({ isRule }) => !isRule).map(row)}
        <Add project={project} />
      </Panel>
      <Panel title={texts.rules} sub={texts.rulesHint}>
        {monitors.filter(({ isRule }) => isRule).map(row)}
      </Panel>
    </>
  )
}
