import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Group,
  Menu,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { IconArrowRight, IconPencil, IconSparkles } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { providerNames } from '../../../core/collecting/providers/names.ts'
import { modelsOf } from '../../../core/collecting/providers/request.ts'
import {
  ImportPromptsDocument,
  ProposeSetupDocument,
  SetupModelsDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { PageLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Panel } from '../../parts/panel.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { t } from '../../texts/texts.ts'
import { moneyText } from '../data-collection/money.tsx'
import { AddPrompts } from '../prompts/add.tsx'
import { fileOfColumns } from '../prompts/file.ts'
import type { Found, StepPart } from './part.ts'
import { Proposing } from './proposing.tsx'
import { Foot } from './steps.tsx'

const { newProject: texts } = t

type Proposed = NonNullable<NonNullable<Found['setup']>['proposals']>['prompts'][number]

interface RowProps {
  readonly prompt: Proposed
  readonly text: string
  readonly isChosen: boolean
  onChoose(isChosen: boolean): void
  onText(text: string): void
}

/** One proposal: to keep, to edit, or to drop. */
function Row({ prompt, text, isChosen, onChoose, onText }: RowProps) {
  const [isEdited, setEdited] = useState(false)
  const { topic, page, isTracked, isBranded, intentCategory } = prompt
  return (
    <Group component="li" gap="sm" py={8} wrap="nowrap" align="flex-start" className="line">
      <Checkbox
        mt={2}
        checked={isChosen && !isTracked}
        disabled={isTracked}
        aria-label={texts.choose(text)}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div className="line-text">
        {isEdited ? (
          <TextInput
            size="xs"
            aria-label={texts.edited}
            value={text}
            maxLength={2000}
            ref={(field) => field?.focus()}
            onChange={({ currentTarget }) => onText(currentTarget.value)}
            onBlur={() => setEdited(false)}
            onKeyDown={({ key }) => key === 'Enter' && setEdited(false)}
          />
        ) : (
          <Text size="sm" className="wrap">
            {text}
          </Text>
        )}
        <Group gap={6} mt={2}>
          <Text size="xs" c="dimmed" className="wrap">
            {isTracked ? texts.tracked : page === null ? texts.fromModel : texts.from(page)}
          </Text>
          {topic && (
            <Badge size="sm" color="gray" variant="light">
              {topic}
            </Badge>
          )}
          <Text size="xs" c="dimmed">
            {isBranded ? texts.branded : t.prompts.intents[intentCategory]}
          </Text>
        </Group>
      </div>
      {!isTracked && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.edit(text)}
          onClick={() => setEdited(true)}
        >
          <IconPencil size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

/** Asks a model of the workspace for prompts, after it has said what that costs. */
function Better({ project, isBusy }: { readonly project: string; readonly isBusy: boolean }) {
  const { data } = useQuestion(SetupModelsDocument, { project })
  const change = useChange(ProposeSetupDocument)
  const models = (data?.project?.workspace.providerKeys?.nodes ?? []).filter(
    ({ provider }) => modelsOf(provider) === null,
  )
  const words = (cost: number | null) =>
    cost === null ? texts.betterUnknown : texts.betterCost(moneyText(cost))
  const nameOf = ({ provider, model }: (typeof models)[number]) =>
    texts.betterOf(providerNames[provider], model ?? '')
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant="light"
            size="xs"
            leftSection={<IconSparkles size={16} />}
            loading={isBusy || change.isPending}
          >
            {texts.better}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {models.map((key) => (
            <Menu.Item
              key={key.id}
              rightSection={<Text size="xs">{words(key.expectedCost)}</Text>}
              onClick={() =>
                modals.openConfirmModal({
                  title: texts.better,
                  children: texts.betterAsk(nameOf(key), words(key.expectedCost)),
                  labels: { confirm: texts.betterGo, cancel: t.act.cancel },
                  onConfirm: () => change.mutate({ project, key: key.id }),
                })
              }
            >
              {nameOf(key)}
            </Menu.Item>
          ))}
          {models.length === 0 && (
            <PageLink project={project} to={['data-collection']} size="sm" p="xs" display="block">
              {texts.betterNone}
            </PageLink>
          )}
        </Menu.Dropdown>
      </Menu>
      <Fault error={change.error} />
    </>
  )
}

/** What the reader changed and has not saved: it stays in the browser until it is. */
interface Edits {
  /** Proposals that the reader dropped, by their texts. */
  readonly dropped: readonly string[]
  readonly texts: Readonly<Record<string, string>>
  /** Prompts of the reader's own, one a line. */
  readonly own: string
}

const unedited: Edits = { dropped: [], texts: {}, own: '' }

/** The prompts to track: proposed ones, own ones, or those of a file. */
export function PromptsStep(props: StepPart) {
  const { project, found, go } = props
  const [edits, setEdits, forget] = useLocalStorage<Edits>({
    key: `sightline-setup ${project.id}`,
    defaultValue: unedited,
    getInitialValueInEffect: false,
  })
  const { own } = edits
  const dropped = new Set(edits.dropped)
  const add = useChange(ImportPromptsDocument)
  const proposed = found.setup?.proposals?.prompts ?? []
  const textOf = (prompt: Proposed) => edits.texts[prompt.text] ?? prompt.text
  const chosen = proposed.filter(
    (prompt) => !prompt.isTracked && !dropped.has(prompt.text) && textOf(prompt).trim(),
  )
  const lines = own.split('\n').filter((line) => line.trim())
  const isBusy = found.setup?.status === 'queued' || found.setup?.status === 'running'
  const next = useMutation({
    mutationFn: async () => {
      const rows = [
        ...chosen.map((prompt) => ({
          text: textOf(prompt),
          topic: prompt.topic ?? '',
          intent: prompt.intentCategory,
          branded: String(prompt.isBranded),
        })),
        ...lines.map((text) => ({ text, topic: '', intent: '', branded: '' })),
      ]
      if (rows.length > 0) {
        const content = fileOfColumns(['text', 'topic', 'intent', 'branded'], rows)
        const { importPrompts: answer } = await add.mutateAsync({ project: project.id, content })
        if (answer && 'created' in answer) {
          const { created, updated, unchanged, rejected } = answer
          notifyDone(t.prompts.done(created, updated, unchanged, rejected.length))
        }
      }
      forget()
      await go('data')
    },
  })
  const back = useMutation({ mutationFn: go })
  function choose({ text }: Proposed, isChosen: boolean) {
    const others = edits.dropped.filter((each) => each !== text)
    setEdits({ ...edits, dropped: isChosen ? others : [...others, text] })
  }
  return (
    <Panel title={texts.promptsTitle} sub={texts.promptsLead}>
      <Stack gap="md">
        <Group gap="xs">
          <AddPrompts project={project} isMinor />
          <Better project={project.id} isBusy={isBusy} />
        </Group>
        <Proposing {...props} of="site" />
        <Proposing {...props} of="model" />
        {proposed.length > 0 ? (
          <Stack gap={0} component="ul" className="plain" aria-label={texts.steps.prompts}>
            {proposed.map((prompt) => (
              <Row
                key={prompt.text}
                prompt={prompt}
                text={textOf(prompt)}
                isChosen={!dropped.has(prompt.text)}
                onChoose={(isChosen) => choose(prompt, isChosen)}
                onText={(text) =>
                  setEdits({ ...edits, texts: { ...edits.texts, [prompt.text]: text } })
                }
              />
            ))}
          </Stack>
        ) : (
          !isBusy && (
            <Text size="sm" c="dimmed">
              {texts.noProposals}
            </Text>
          )
        )}
        <Textarea
          label={texts.own}
          value={own}
          onChange={({ currentTarget }) => setEdits({ ...edits, own: currentTarget.value })}
          autosize
          minRows={2}
          maxRows={10}
        />
        <Fault error={next.error ?? back.error} />
      </Stack>
      <Foot
        words={texts.chosen(
          chosen.length + lines.length,
          proposed.length + lines.length,
          found.prompts?.totalCount ?? 0,
        )}
      >
        <Button variant="default" onClick={() => back.mutate('competitors')}>
          {texts.back}
        </Button>
        <Button
          loading={next.isPending}
          rightSection={<IconArrowRight size={16} />}
          onClick={() => next.mutate()}
        >
          {texts.next}
        </Button>
      </Foot>
    </Panel>
  )
}
