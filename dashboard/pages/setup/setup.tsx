import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { Link, Redirect, useLocation } from 'wouter'
import { SetSetupStepDocument, SetupDocument, type SetupQuery } from '../../documents.ts'
import { May } from '../../parts/may.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered, Loading } from '../../parts/states.tsx'
import { pathOf } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import { BrandStep } from './brand.tsx'
import { CompetitorsStep } from './competitors.tsx'
import { Arrival, DataStep, Done } from './data.tsx'
import type { Found } from './part.ts'
import { PromptsStep } from './prompts.tsx'
import { isStep, type Step, Steps, steps } from './steps.tsx'

const { newProject: texts } = t

const proposingMs = 1500
const waitingMs = 5000

/** While something is on its way, the project is asked again. */
function pauseOf({ project }: SetupQuery): number | false {
  const status = project?.setup?.status
  if (status === 'queued' || status === 'running') return proposingMs
  return project && !project.dataAvailable ? waitingMs : false
}

const useSetup = (project: string) =>
  useQuestion(SetupDocument, { project }, { refetchInterval: pauseOf })

function wordsOf(found: Found): Partial<Record<Step, string>> {
  const competitors = found.competitors?.nodes.length ?? 0
  const prompts = found.prompts?.totalCount ?? 0
  return {
    brand: found.domain,
    ...(competitors > 0 && { competitors: texts.brands(competitors) }),
    ...(prompts > 0 && { prompts: texts.promptsOf(prompts) }),
    ...(found.dataAvailable && { data: texts.arrived }),
  }
}

const pages = {
  brand: BrandStep,
  competitors: CompetitorsStep,
  prompts: PromptsStep,
  data: DataStep,
} as const

/** The page before the project is known. */
const Opening = () => (
  <Stack maw={920} mx="auto" w="100%" gap="md">
    <Title order={1}>{texts.title}</Title>
    <Loading />
  </Stack>
)

/** The set-up of a project: each step has its own address, and the service knows which one is next. */
export function Setup({ project, detail }: PageProps) {
  const [, open] = useLocation()
  const query = useSetup(project.id)
  const note = useChange(SetSetupStepDocument)
  const pathTo = (step: Step) => pathOf(project.id, 'setup', step)
  return (
    <Answered query={query} loading={<Opening />}>
      {({ project: found }) => {
        if (!found) return null
        const reached = found.setup?.step ?? 'data'
        if (!isStep(detail)) {
          return <Redirect to={pathTo(reached === 'done' ? 'data' : reached)} replace />
        }
        const Page = pages[detail]
        const go = async (step: Step) => {
          const isFurther = reached !== 'done' && steps.indexOf(step) > steps.indexOf(reached)
          if (isFurther) await note.mutateAsync({ project: project.id, step })
          open(pathTo(step))
        }
        return (
          <Steps
            step={detail}
            reached={reached}
            words={wordsOf(found)}
            onStep={(step) => open(pathTo(step))}
          >
            <Page project={project} found={found} go={go} />
          </Steps>
        )
      }}
    </Answered>
  )
}

/** What a project without answers shows in place of its numbers: how far its set-up is, and what comes next. */
export function SetupProgress({ project }: PageProps) {
  const query = useSetup(project.id)
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found) return null
        const reached = found.setup?.step ?? 'data'
        const at = reached === 'done' ? steps.length : steps.indexOf(reached)
        const words = wordsOf(found)
        return (
          <Stack gap="md" maw={920}>
            <div>
              <Title order={2}>{t.overview.noneAtAll}</Title>
              <Text c="dimmed">{texts.laterLead}</Text>
            </div>
            {at >= steps.indexOf('data') && <Arrival project={project} found={found} />}
            <Stack gap="xs" component="ol" className="plain">
              {steps.map((step, place) => (
                <Card key={step} component="li" p="sm">
                  <Group gap="sm" wrap="nowrap">
                    <Done isDone={place < at} />
                    <div className="line-text wrap">
                      <Text fw={600}>{texts.steps[step]}</Text>
                      <Text size="sm" c="dimmed">
                        {words[step] ?? texts.hints[step]}
                      </Text>
                    </div>
                    <May make={SetSetupStepDocument}>
                      <Button
                        component={Link}
                        href={pathOf(project.id, 'setup', step)}
                        size="xs"
                        variant={place === at ? 'filled' : 'default'}
                      >
                        {place === at ? texts.resume : texts.openStep(texts.steps[step])}
                      </Button>
                    </May>
                  </Group>
                </Card>
              ))}
            </Stack>
          </Stack>
        )
      }}
    </Answered>
  )
}
