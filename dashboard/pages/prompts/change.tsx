import { Button, Group, Menu, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import {
  ChangePromptTopicsDocument,
  DeletePromptsDocument,
  FiltersDocument,
  PreviewPromptsDocument,
  RewordPromptDocument,
  SetPromptsTrackingDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { confirmLoss } from '../../parts/confirm.ts'
import { May } from '../../parts/may.tsx'
import { notifyDone, notifyFailure } from '../../parts/notify.ts'
import type { Project } from '../../parts/page.ts'
import { useUndo } from '../../parts/undo.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { fileOf } from './file.ts'

const { prompts: texts } = t

export interface ChosenPrompt {
  readonly id: string
  readonly text: string
  readonly topics: readonly { readonly id: string }[]
}

interface ChosenProps {
  readonly project: Project
  readonly prompts: readonly ChosenPrompt[]
  /** Which actions make sense; both where some are active and some paused. */
  readonly isPaused?: boolean | undefined
  onDone(): void
  /** Called after the prompts are gone. */
  onDeleted?(): void
}

const mostNamed = 5

interface Topic {
  readonly id: string
  readonly name: string
}

interface TopicMenuProps {
  readonly label: string
  readonly topics: readonly Topic[]
  readonly isBusy: boolean
  onChoose(topic: Topic): void
}

/** A button that opens the topics of the project. */
function TopicMenu({ label, topics, isBusy, onChoose }: TopicMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" disabled={isBusy || topics.length === 0}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={300} className="scroll-y">
        {topics.map((topic) => (
          <Menu.Item key={topic.id} onClick={() => onChoose(topic)}>
            {topic.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Changes prompts together: topics, pause, delete. */
export function Chosen({ project, prompts, isPaused, onDone, onDeleted }: ChosenProps) {
  const { window } = useAddress()
  const { data } = useQuestion(FiltersDocument, { project: project.id, window })
  const tracking = useChange(SetPromptsTrackingDocument)
  const topics = useChange(ChangePromptTopicsDocument)
  const removal = useChange(DeletePromptsDocument)
  const { offerInverse } = useUndo()
  const may = useMay()
  const known = data?.project?.topics?.nodes ?? []
  const ids = prompts.map(({ id }) => id)
  const given = { project: project.id, prompts: ids }
  const onError = notifyFailure
  const named = prompts.map(({ text }) => text)
  const track = (isPause: boolean) =>
    tracking.mutate(
      { ...given, action: isPause ? 'archive' : 'restore' },
      {
        onError,
        onSuccess: () => {
          const inverse = isPause ? ('restore' as const) : ('archive' as const)
          const said = isPause ? texts.paused(named) : texts.resumed(named)
          offerInverse(SetPromptsTrackingDocument, { ...given, action: inverse }, said)
          onDone()
        },
      },
    )
  function group({ id, name }: Topic, isAddition: boolean) {
    // A prompt that is as wanted already stays so when the change is taken back.
    const changed = prompts.filter(
      ({ topics }) => topics.some((own) => own.id === id) !== isAddition,
    )
    const those = { project: project.id, prompts: changed.map((prompt) => prompt.id) }
    const [added, removed] = [
      { ...those, add: [id] },
      { ...those, remove: [id] },
    ]
    if (changed.length === 0) return onDone()
    topics.mutate(isAddition ? added : removed, {
      onError,
      onSuccess: () => {
        const said = isAddition ? texts.topicAdded : texts.topicRemoved
        const words = said(
          name,
          changed.map(({ text }) => text),
        )
        offerInverse(ChangePromptTopicsDocument, isAddition ? removed : added, words)
        onDone()
      },
    })
  }
  function remove() {
    confirmLoss({
      title: texts.deleteAsk(ids.length),
      goes: (
        <Stack gap="xs">
          <Text size="sm">{texts.deleteGoes}</Text>
          {prompts.slice(0, mostNamed).map(({ id, text }) => (
            <Text key={id} size="sm" fw={600} className="wrap">
              {text}
            </Text>
          ))}
          {prompts.length > mostNamed && (
            <Text size="sm">{texts.andMore(prompts.length - mostNamed)}</Text>
          )}
        </Stack>
      ),
      label: t.act.delete,
      onConfirm: () =>
        removal.mutate(given, {
          onError,
          onSuccess: ({ deletePrompts: answer }) => {
            if (answer && 'answers' in answer)
              notifyDone(texts.deleted(answer.prompts, answer.answers))
            onDone()
            onDeleted?.()
          },
        }),
    })
  }
  const isBusy = tracking.isPending || topics.isPending || removal.isPending
  if (!may(SetPromptsTrackingDocument)) return null
  return (
    <Group gap="xs">
      <TopicMenu
        label={texts.addTopic}
        topics={known}
        isBusy={isBusy}
        onChoose={(topic) => group(topic, true)}
      />
      <TopicMenu
        label={texts.removeTopic}
        topics={known}
        isBusy={isBusy}
        onChoose={(topic) => group(topic, false)}
      />
      {isPaused !== true && (
        <Button variant="default" size="xs" disabled={isBusy} onClick={() => track(true)}>
          {texts.pause}
        </Button>
      )}
      {isPaused !== false && (
        <Button variant="default" size="xs" disabled={isBusy} onClick={() => track(false)}>
          {texts.resume}
        </Button>
      )}
      <May make={DeletePromptsDocument}>
        <Button
          variant="light"
          color="red"
          size="xs"
          disabled={isBusy}
          loading={removal.isPending}
          onClick={remove}
        >
          {t.act.delete}
        </Button>
      </May>
    </Group>
  )
}

interface RewordProps {
  readonly project: Project
  readonly prompt: string
  readonly text: string
}

/** Edits the wording of a prompt; the former one stays in its history. */
export function Reword({ project, prompt, text }: RewordProps) {
  const [isOpen, { open, close }] = useDisclosure()
  const [wording, setWording] = useState(text)
  const [fault, setFault] = useState<string>()
  const preview = useChange(PreviewPromptsDocument)
  const change = useChange(RewordPromptDocument)
  const may = useMay()
  const wanted = wording.replace(/\s+/g, ' ').trim()
  async function save() {
    setFault(undefined)
    const content = fileOf([wanted])
    const { previewPrompts: found } = await preview.mutateAsync({ project: project.id, content })
    if (!found || !('read' in found)) return
    const [rejected] = found.rejected
    const other = found.lines[0]?.prompt
    if (rejected) return setFault(texts.faultOf(rejected.reason))
    if (other && other.id !== prompt) return setFault(texts.askedBy(other.text))
    await change.mutateAsync({ project: project.id, prompt, text: wanted })
    notifyDone(texts.reworded)
    close()
  }
  if (!may(RewordPromptDocument)) return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPencil size={14} />}
        onClick={() => {
          setWording(text)
          setFault(undefined)
          open()
        }}
      >
        {texts.edit}
      </Button>
      <Modal opened={isOpen} onClose={close} title={texts.edit} size="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save().catch(() => undefined)
          }}
        >
          <Stack gap="sm">
            <Textarea
              label={texts.wording}
              description={texts.editLead}
              value={wording}
              onChange={({ currentTarget }) => setWording(currentTarget.value)}
              error={fault}
              autosize
              minRows={2}
              maxLength={2000}
              required
              withAsterisk={false}
              data-autofocus
            />
            <Group>
              <Button
                type="submit"
                loading={preview.isPending || change.isPending}
                disabled={wanted === '' || wanted === text}
              >
                {t.act.save}
              </Button>
            </Group>
            <Fault error={preview.error ?? change.error} />
          </Stack>
        </form>
      </Modal>
    </>
  )
}
