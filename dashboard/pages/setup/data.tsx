import { Alert, Button, Card, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { SetSetupStepDocument, SetupModelsDocument, ShellDocument } from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { pathOf } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import type { SetupPart, StepPart } from './part.ts'
import { Foot } from './steps.tsx'

const { newProject: texts } = t

/** Whether something is done. */
export function Done({ isDone }: { readonly isDone: boolean }) {
  return isDone ? (
    <IconCircleCheck size={20} className="tick" color="var(--mantine-color-teal-6)" aria-hidden />
  ) : (
    <IconCircleDashed size={20} className="tick" color="var(--mantine-color-dimmed)" aria-hidden />
  )
}

function Tick({
  isDone,
  name,
  words,
}: {
  readonly isDone: boolean
  readonly name: string
  readonly words: string
}) {
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <Done isDone={isDone} />
      <Text size="sm" className="wrap">
        <Text span fw={600}>
          {name}
        </Text>
        {' · '}
        {words}
      </Text>
    </Group>
  )
}

/** A key, a schedule and a run: what collecting takes, and what of it is there. */
function CollectSteps({ project, found }: SetupPart) {
  const { data } = useQuestion(SetupModelsDocument, { project: project.id })
  const [key] = data?.project?.workspace.providerKeys?.nodes ?? []
  const [schedule] = found.schedules?.nodes ?? []
  const [run] = found.runs?.nodes ?? []
  const asked = run?.coverage.reduce((sum, each) => sum + each.asked, 0) ?? 0
  const waiting = run?.coverage.reduce((sum, each) => sum + each.waiting, 0) ?? 0
  const scheduleWords = () => {
    if (!schedule) return texts.scheduleNone
    if (schedule.fault) return schedule.fault
    return schedule.nextRunAt
      ? texts.scheduled(schedule.name, t.moment(schedule.nextRunAt))
      : schedule.name
  }
  return (
    <Stack gap={6} component="ul" className="plain" my="sm">
      <Tick isDone={key !== undefined} name={texts.key} words={key?.label ?? texts.keyNone} />
      <Tick isDone={schedule !== undefined} name={texts.schedule} words={scheduleWords()} />
      <Tick
        isDone={run?.status === 'completed'}
        name={texts.run}
        words={run ? texts.runOf(t.states[run.status], asked - waiting, asked) : texts.runNone}
      />
    </Stack>
  )
}

/** Says whether answers have come. */
export function Arrival({ project, found }: SetupPart) {
  const [, go] = useLocation()
  const change = useChange(SetSetupStepDocument)
  const days = found.dataAvailable
  if (!days) {
    return (
      <Alert role="status" color="indigo" icon={<Loader size={18} />} title={texts.waiting}>
        <Text size="sm">{texts.waitingHint}</Text>
      </Alert>
    )
  }
  const open = () => {
    const search = new URLSearchParams({ from: days.from, to: days.to })
    const isRecent = Date.now() - Date.parse(days.to) < 29 * 24 * 3600 * 1000
    go(pathOf(project.id, 'overview') + (isRecent ? '' : `?${search}`))
  }
  return (
    <Alert role="status" color="teal" icon={<IconCircleCheck aria-hidden />} title={texts.here}>
      <Text size="sm">{texts.hereFrom(days.from, days.to)}</Text>
      <Button
        mt="xs"
        size="xs"
        color="teal.9"
        loading={change.isPending}
        onClick={() => change.mutate({ project: project.id, step: 'done' }, { onSettled: open })}
      >
        {texts.toOverview}
      </Button>
      <Fault error={change.error} />
    </Alert>
  )
}

const demoDomain = 'lumora.example'

/** The ways to data, and whether it has come. */
export function DataStep(props: StepPart) {
  const { project, go } = props
  const { data: shell } = useQuestion(ShellDocument, {})
  const back = useMutation({ mutationFn: go })
  const demo = shell?.projects.nodes.find(
    ({ domain, id }) => domain === demoDomain && id !== project.id,
  )
  return (
    <Panel title={texts.dataTitle} sub={texts.dataLead}>
      <Arrival {...props} />
      <SimpleGrid cols={{ base: 1, sm: demo ? 3 : 2 }} mt="md">
        <Card withBorder>
          <Title order={3} size="h5">
            {texts.collect}
          </Title>
          <Text size="sm" c="dimmed">
            {texts.collectText}
          </Text>
          <CollectSteps {...props} />
          <Button component={Link} mt="auto" href={pathOf(project.id, 'data-collection')}>
            {texts.collectGo}
          </Button>
        </Card>
        <Card withBorder>
          <Title order={3} size="h5">
            {texts.import}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {texts.importText}
          </Text>
          <Button component={Link} mt="auto" variant="default" href={pathOf(project.id, 'imports')}>
            {texts.importGo}
          </Button>
        </Card>
        {demo && (
          <Card withBorder>
            <Title order={3} size="h5">
              {texts.demo}
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              {texts.demoText}
            </Text>
            <Button component={Link} mt="auto" variant="default" href={pathOf(demo.id, 'overview')}>
              {texts.demoGo(demo.name)}
            </Button>
          </Card>
        )}
      </SimpleGrid>
      <Fault error={back.error} />
      <Foot>
        <Button variant="default" onClick={() => back.mutate('prompts')}>
          {texts.back}
        </Button>
      </Foot>
    </Panel>
  )
}
