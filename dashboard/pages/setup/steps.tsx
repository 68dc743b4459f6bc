import { Group, Stack, Stepper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SetupStep } from '../../documents.ts'
import { t } from '../../texts/texts.ts'

const { newProject: texts } = t

export type Step = Exclude<SetupStep, 'done'>
export const steps = ['brand', 'competitors', 'prompts', 'data'] as const satisfies readonly Step[]

export const isStep = (text: string | undefined): text is Step =>
  (steps as readonly (string | undefined)[]).includes(text)

interface StepsProps {
  readonly step: Step
  /** The step that the project is at; those before it are done. */
  readonly reached: SetupStep
  /** What each step has so far. */
  readonly words?: Readonly<Partial<Record<Step, string>>>
  readonly onStep?: (step: Step) => void
  readonly children: ReactNode
}

/** The four steps of a new project, with what is to be done in one of them. */
export function Steps({ step, reached, words = {}, onStep, children }: StepsProps) {
  const at = reached === 'done' ? steps.length : steps.indexOf(reached)
  const active = steps.indexOf(step)
  return (
    <Stack maw={920} mx="auto" w="100%" gap="md">
      <div>
        <Title order={1}>{texts.title}</Title>
        <Text c="dimmed">{texts.lead}</Text>
      </div>
      <Stepper
        active={active}
        size="sm"
        iconSize={34}
        className="steps"
        allowNextStepsSelect={false}
        {...(onStep && { onStepClick: (to: number) => onStep(steps[to] ?? 'brand') })}
      >
        {steps.map((each, place) => (
          <Stepper.Step
            key={each}
            label={texts.steps[each]}
            description={words[each] ?? texts.hints[each]}
            allowStepSelect={onStep !== undefined && place <= at}
            aria-current={place === active ? 'step' : undefined}
          />
        ))}
      </Stepper>
      {children}
    </Stack>
  )
}

/** What ends a step: back, and on. */
export function Foot({
  words,
  children,
}: {
  readonly words?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text size="sm" c="dimmed" component="div" role="status">
        {words}
      </Text>
      <Group gap="sm">{children}</Group>
    </Group>
  )
}
