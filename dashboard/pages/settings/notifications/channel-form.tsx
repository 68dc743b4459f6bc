import { Button, Group, MultiSelect, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  AddChannelDocument,
  ChangeChannelDocument,
  type ChannelKind,
  type NotificationEvent,
  type OneChannelFragment,
  ShellDocument,
} from '../../../documents.ts'
import { Fault } from '../../../parts/act.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { useQuestion } from '../../../state/ask.ts'
import { useChange } from '../../../state/change.ts'
import { hasMail } from '../../../state/session.ts'
import { notifications as texts } from '../../../texts/english/notifications.ts'

/** Events that are no choice: somebody asked for each, or it adds to one that the channel got. */
const unasked: readonly string[] = ['alarm_attributed', 'digest_ready', 'report_ready', 'test_ping']

const kinds = Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))
const events = Object.entries(texts.words)
  .filter(([value]) => !unasked.includes(value))
  .map(([value, label]) => ({ value, label }))

interface ChannelFormProps {
  readonly workspace: string
  /** The channel to change; absent for a new one. */
  readonly changed?: OneChannelFragment | undefined
  onDone(secret?: string | null): void
}

/** The form of a channel: where it is, and what it gets. */
export function ChannelForm({ workspace, changed, onDone }: ChannelFormProps) {
  const shell = useQuestion(ShellDocument, {})
  const projects = (shell.data?.projects.nodes ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const form = useForm({
    initialValues: {
      kind: (changed?.kind ?? (hasMail() ? 'email' : 'slack')) as ChannelKind,
      address: '',
      name: changed?.name ?? '',
      events: [...(changed?.events ?? [])] as string[],
      projectIds: [...(changed?.projectIds ?? [])],
    },
    validate: {
      address: (text, { kind }) => {
        if (changed) return null
        if (kind === 'email') return /^\S+@\S+$/.test(text.trim()) ? null : texts.needsEmail
        return /^https?:\/\/./.test(text.trim()) ? null : texts.needsAddress
      },
    },
  })
  const { kind } = form.values
  const adding = useChange(AddChannelDocument)
  const changing = useChange(ChangeChannelDocument)
  function send(values: typeof form.values) {
    const wanted = {
      workspace,
      name: values.name.trim() || null,
      events: values.events as NotificationEvent[],
      projectIds: values.projectIds,
    }
    if (changed) {
      changing.mutate(
        { ...wanted, channel: changed.id },
        {
          onSuccess: () => {
            notifyDone(texts.saved)
            onDone()
          },
        },
      )
      return
    }
    adding.mutate(
      { ...wanted, kind: values.kind, address: values.address.trim() },
      {
        onSuccess: ({ addChannel: answer }) => {
          if (!answer || !('channel' in answer)) return
          const { name, state } = answer.channel
          notifyDone(state === 'unconfirmed' ? texts.confirming(name) : texts.added(name))
          onDone(answer.secret)
        },
      },
    )
  }
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="sm">
        {!changed && (
          <>
            <Select
              label={texts.kind}
              description={kind === 'email' && !hasMail() ? texts.noMail : texts.kindHints[kind]}
              data={kinds}
              allowDeselect={false}
              {...form.getInputProps('kind')}
            />
            <TextInput
              label={texts.addresses[kind]}
              placeholder={texts.examples[kind]}
              type={kind === 'email' ? 'email' : 'url'}
              autoComplete="off"
              data-autofocus
              {...form.getInputProps('address')}
            />
          </>
        )}
        <TextInput
          label={texts.name}
          description={changed ? undefined : texts.nameHint}
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <MultiSelect
          label={texts.events}
          description={texts.choose}
          placeholder={form.values.events.length === 0 ? texts.allEvents : ''}
          data={events}
          clearable
          {...form.getInputProps('events')}
        />
        <MultiSelect
          label={texts.projects}
          description={texts.choose}
          placeholder={form.values.projectIds.length === 0 ? texts.allProjects : ''}
          data={projects}
          searchable
          clearable
          {...form.getInputProps('projectIds')}
        />
        <Fault error={adding.error ?? changing.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={adding.isPending || changing.isPending}>
            {changed ? texts.save : texts.add}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
