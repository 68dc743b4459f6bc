import { Button, Group, Menu, Modal, Text } from '@mantine/core'
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import {
  AddChannelDocument,
  EnableChannelDocument,
  type NotificationsQuery,
  type OneChannelFragment,
  PauseChannelDocument,
  RemoveChannelDocument,
  RotateChannelSecretDocument,
  TestChannelDocument,
} from '../../../documents.ts'
import { textColumn } from '../../../parts/columns.tsx'
import { confirmLoss } from '../../../parts/confirm.ts'
import { May } from '../../../parts/may.tsx'
import { More } from '../../../parts/more.tsx'
import { notifyDone, notifyRefused } from '../../../parts/notify.ts'
import type { Asked } from '../../../parts/panel.tsx'
import { type Column, Part } from '../../../parts/table.tsx'
import { useChange } from '../../../state/change.ts'
import { notifications as texts } from '../../../texts/english/notifications.ts'
import { t } from '../../../texts/texts.ts'
import { Secret } from '../secret.tsx'
import { ChannelForm } from './channel-form.tsx'

/** Whether the channel is sent to, and why not. */
function ChannelState({ state, disabledReason, firstFailedAt }: OneChannelFragment) {
  const colours = {
    on: 'teal',
    unconfirmed: 'yellow.9',
    paused: 'dimmed',
    disabled: 'red',
  } as const
  return (
    <>
      <Text size="sm" c={firstFailedAt && state === 'on' ? 'red' : colours[state]} fw={600}>
        {firstFailedAt && state === 'on'
          ? texts.failing(t.moment(firstFailedAt))
          : texts.states[state]}
      </Text>
      {disabledReason && (
        <Text size="xs" c="dimmed" className="wrap">
          {disabledReason}
        </Text>
      )}
    </>
  )
}

interface ActsProps {
  readonly workspace: string
  readonly channel: OneChannelFragment
  onChange(channel: OneChannelFragment): void
  onSecret(secret: string): void
}

const refused = { onError: (error: Error) => notifyRefused(texts.notChanged, error) }

function Acts({ workspace, channel, onChange, onSecret }: ActsProps) {
  const { id, name, kind, state } = channel
  const variables = { workspace, channel: id }
  const test = useChange(TestChannelDocument)
  const pause = useChange(PauseChannelDocument)
  const enable = useChange(EnableChannelDocument)
  const rotation = useChange(RotateChannelSecretDocument)
  const removal = useChange(RemoveChannelDocument)
  function runTest() {
    test.mutate(variables, {
      onError: (error) => notifyRefused(texts.testFailed(name), error),
      onSuccess: ({ testChannel: found }) => {
        if (!found || !('testProblem' in found)) return
        if (found.testProblem === null) notifyDone(texts.testPassed(name))
        else notifyRefused(texts.testFailed(name), new Error(found.testProblem))
      },
    })
  }
  function rotate() {
    confirmLoss({
      title: `${texts.rotate}: ${name}`,
      goes: texts.rotateAsk,
      label: texts.rotate,
      onConfirm: () =>
        rotation.mutate(variables, {
          ...refused,
          onSuccess: ({ rotateChannelSecret: found }) => {
            if (found && 'secret' in found && found.secret) onSecret(found.secret)
          },
        }),
    })
  }
  function remove() {
    confirmLoss({
      title: `${texts.remove}: ${name}`,
      goes: texts.removeAsk,
      label: texts.remove,
      onConfirm: () =>
        removal.mutate(variables, { ...refused, onSuccess: () => notifyDone(texts.removed(name)) }),
    })
  }
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {state !== 'unconfirmed' && (
        <Button
          size="compact-xs"
          variant="default"
          loading={test.isPending}
          aria-label={`${texts.test}: ${name}`}
          onClick={runTest}
        >
          {texts.test}
        </Button>
      )}
      <More of={name}>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onChange(channel)}>
          {texts.change}
        </Menu.Item>
        {kind === 'webhook' && (
          <Menu.Item leftSection={<IconKey size={16} />} onClick={rotate}>
            {texts.rotate}
          </Menu.Item>
        )}
        {state === 'on' && (
          <Menu.Item
            leftSection={<IconPlayerPause size={16} />}
            onClick={() => pause.mutate(variables, refused)}
          >
            {texts.pause}
          </Menu.Item>
        )}
        {(state === 'paused' || state === 'disabled') && (
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} />}
            onClick={() => enable.mutate(variables, refused)}
          >
            {texts.enable}
          </Menu.Item>
        )}
        <Menu.Item
          color="var(--mantine-color-red-text)"
          leftSection={<IconTrash size={16} />}
          onClick={remove}
        >
          {texts.remove}
        </Menu.Item>
      </More>
    </Group>
  )
}

const eventsText = ({ events }: OneChannelFragment) => {
  const [only] = events
  if (only === undefined) return texts.allEvents
  return events.length === 1 ? texts.words[only] : texts.ofEvents(events.length)
}

const projectsText = ({ projectIds }: OneChannelFragment) =>
  projectIds.length === 0 ? texts.allProjects : texts.ofProjects(projectIds.length)

function columnsOf(
  acts: (channel: OneChannelFragment) => ActsProps,
): readonly Column<OneChannelFragment>[] {
  return [
    textColumn(
      texts.channel,
      ({ name }) => name,
      ({ name, display, kind }) => (
        <>
          <span className="wrap">{name}</span>
          <Text size="xs" c="dimmed" className="wrap">
            {texts.kinds[kind]} · {display}
          </Text>
        </>
      ),
    ),
    textColumn(texts.events, eventsText),
    { ...textColumn(texts.projects, projectsText), isMinor: true },
    textColumn(
      texts.state,
      ({ state }: OneChannelFragment) => texts.states[state],
      (channel) => <ChannelState {...channel} />,
    ),
    {
      name: t.columns.actions,
      make: AddChannelDocument,
      show: (channel) => <Acts {...acts(channel)} />,
    },
  ]
}

interface ChannelsProps {
  readonly workspace: string
  readonly channels: readonly OneChannelFragment[]
  readonly asked: Asked<NotificationsQuery, { project: string }>
}

/** The channels of the workspace, with a form for one more. */
export function Channels({ workspace, channels, asked }: ChannelsProps) {
  const [edited, setEdited] = useState<OneChannelFragment | 'new'>()
  const [secret, setSecret] = useState<string>()
  const changed = edited === 'new' ? undefined : edited
  const columns = columnsOf((channel) => ({
    workspace,
    channel,
    onChange: setEdited,
    onSecret: setSecret,
  }))
  return (
    <>
      <Part
        title={texts.title}
        lead={texts.lead}
        empty={texts.empty}
        asked={asked}
        columns={columns}
        rows={channels}
        keyOf={({ id }) => id}
        right={
          <May make={AddChannelDocument}>
            <Button
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setEdited('new')}
            >
              {texts.add}
            </Button>
          </May>
        }
        after={<Secret text={texts.secretOnce} secret={secret} />}
      />
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={changed ? texts.changeTitle(changed.name) : texts.addTitle}
      >
        {edited !== undefined && (
          <ChannelForm
            workspace={workspace}
            changed={changed}
            onDone={(made) => {
              if (made) setSecret(made)
              setEdited(undefined)
            }}
          />
        )}
      </Modal>
    </>
  )
}
