import { Alert, Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Change, useChange } from '../state/change.ts'
import { useMay } from '../state/may.ts'
import { t } from '../texts/texts.ts'
import { confirmLoss } from './confirm.ts'
import { type Undoing, useUndo } from './undo.tsx'

export interface ActProps<V> {
  readonly label: string
  /** What screen readers need beside the label: the object of the change. */
  readonly of?: string
  readonly document: Change<object, V>
  readonly variables: V
  /** Asked before a change that cannot be undone: what goes. */
  readonly confirm?: string
  /** Said of a change without an exact way back, which waits until it can no longer be taken back. */
  readonly held?: string
  /** Offers the way back of a change that was made. */
  readonly offer?: (undoing: Undoing) => void
}

/** Why the graph refused a change. */
export function Fault({ error }: { readonly error: Error | null }) {
  return (
    error && (
      <Alert color="red" role="alert" p="xs" mt="xs">
        {error instanceof TypeError ? t.unreachable : error.message}
      </Alert>
    )
  )
}

/** A button that changes something, for those who may. */
export function Act<V>(props: ActProps<V>) {
  const { label, of, document, variables, confirm, held, offer } = props
  const change = useChange(document)
  const undoing = useUndo()
  const may = useMay()
  function act() {
    if (held) return undoing.holdChange(document, variables, held)
    const make = () => change.mutate(variables, { onSuccess: () => offer?.(undoing) })
    if (!confirm) return make()
    confirmLoss({
      title: of ? `${label}: ${of}` : label,
      goes: confirm,
      label,
      onConfirm: make,
    })
  }
  if (!may(document)) return null
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={change.isPending}
        aria-label={of && `${label}: ${of}`}
        onClick={act}
      >
        {label}
      </Button>
      <Fault error={change.error} />
    </>
  )
}

interface ReasonActProps<V>
  extends Omit<ActProps<V & { reason: string }>, 'variables' | 'confirm' | 'held'> {
  readonly variables: V
}

/** A button that asks for a reason before it changes something, for those who may. */
export function ReasonAct<V>({ label, of, document, variables, offer }: ReasonActProps<V>) {
  const change = useChange(document)
  const undoing = useUndo()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget).get('reason')).trim()
    if (!reason) return
    change.mutate({ ...variables, reason }, { onSuccess: () => offer?.(undoing) })
  }
  if (!may(document)) return null
  if (!isOpen) {
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-label={of && `${label}: ${of}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
    )
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          name="reason"
          label={t.act.reason}
          required
          maxLength={500}
          ref={(field) => field?.focus()}
        />
        <Button size="xs" type="submit" loading={change.isPending}>
          {label}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => setOpen(false)}>
          {t.act.cancel}
        </Button>
      </Group>
      <Fault error={change.error} />
    </form>
  )
}
