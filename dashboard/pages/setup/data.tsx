import {
  Alert,
  Box,
  Button,
  Card,
  Group,
  Loader,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { SetSetupStepDocument, SetupModelsDocument, ShellDocument } from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { dayMs } from '../../parts/days.ts'
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
    const isRecent = Date.now() - Date.parse(days.to) < 29 * dayMs
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

interface WayProps {
  readonly title: string
  readonly text: string
  readonly href: string
  /** What the button that leads there says. */
  readonly go: string
  readonly isFirst?: boolean
  readonly children?: ReactNode
}

/** A way to data, with the page that it leads to. */
function Way({ title, text, href, go, isFirst = false, children }: WayProps) {
  return (
    <Card withBorder>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb={children ? 0 : 'sm'}>
        {text}
      </Text>
      {children}
      <Button component={Link} mt="auto" variant={isFirst ? 'filled' : 'default'} href={href}>
        {go}
      </Button>
    </Card>
  )
}

const RatingLine = lazy(async () => ({
  default: (await import('../settings/rating/rating.tsx')).RatingLine,
}))

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
        <Way
          title={texts.collect}
          text={texts.collectText}
          go={texts.collectGo}
          href={pathOf(project.id, 'data-collection')}
          isFirst
        >
          <CollectSteps {...props} />
        </Way>
        <Way
          title={texts.import}
          text={texts.importText}
          go={texts.importGo}
          href={pathOf(project.id, 'imports')}
        />
        {demo && (
          <Way
            title={texts.demo}
            text={texts.demoText}
            go={texts.demoGo(demo.name)}
            href={pathOf(demo.id, 'overview')}
          />
        )}
      </SimpleGrid>
      <Suspense fallback={null}>
        <Box mt="md">
          <RatingLine project={project.id} />
        </Box>
      </Suspense>
      <Fault error={back.error} />
      <Foot>
        <Button variant="default" onClick={() => back.mutate('prompts')}>
          {texts.back}
        </Button>
      </Foot>
    </Panel>
  )
}
