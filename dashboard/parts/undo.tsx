import { Button, Group, Text } from '@mantine/core'
import { randomId, useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { type Change, makeChange } from '../state/change.ts'
import { heldKey, hold, sendHeld, sendOne, takeBack } from '../state/held.ts'
import { t } from '../texts/texts.ts'
import { closing, notifyRefused } from './notify.ts'

/** Long enough to read a name and to reach the button. */
const undoMs = 10_000

/** How to take back each change that a message still offers to, the newest last. */
const offers = new Map<string, () => void>()

interface Offer {
  /** What was done, with the name of what goes. */
  readonly said: string
  undo(): void
  /** Called when the message goes, after `undo` too. */
  onEnd?(): void
}

/** Says what was done, with a way back. The time stands still while a reader points at the message or is in it. */
function offerUndo({ said, undo, onEnd }: Offer): string {
  const id = randomId()
  const takeItBack = () => {
    undo()
    notifications.hide(id)
  }
  const message = <Way said={said} onClick={takeItBack} />
  offers.set(id, takeItBack)
  notifications.show({
    ...closing,
    id,
    role: 'status',
    color: 'teal',
    autoClose: undoMs,
    onFocus: () => notifications.update({ id, message, autoClose: false }),
    onBlur: () => notifications.update({ id, message, autoClose: undoMs }),
    onClose: () => {
      offers.delete(id)
      onEnd?.()
    },
    message,
  })
  return id
}

interface WayProps {
  readonly said: string
  onClick(): void
}

function Way({ said, onClick }: WayProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" className="wrap">
        {said}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        flex="none"
        aria-label={`${t.act.undo}: ${said}`}
        aria-keyshortcuts="Control+Z Meta+Z"
        onClick={onClick}
      >
        {t.act.undo}
      </Button>
    </Group>
  )
}

export interface Undoing {
  /** Shows a change as made, and sends it when its message goes: for what has no exact way back. */
  holdChange<R extends object, V>(document: Change<R, V>, variables: V, said: string): void
  /** Offers the change that takes back one that was made. */
  offerInverse<R extends object, V>(document: Change<R, V>, variables: V, said: string): void
}

/** The two ways to take back a change for ten seconds. */
export function useUndo(): Undoing {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries()
  async function send<R extends object, V>(document: Change<R, V>, variables: V) {
    try {
      // The browser ends such a request even when its page is left.
      await makeChange(document, variables, { keepalive: true })
    } catch (error) {
      notifyRefused(t.act.notDone, error)
    }
  }
  return {
    holdChange(document, variables, said) {
      const key = heldKey(document, variables)
      const message = offerUndo({
        said,
        undo: () => takeBack(key),
        onEnd: () => void sendOne(key),
      })
      hold(key, {
        refresh,
        send() {
          queueMicrotask(() => notifications.hide(message))
          return send(document, variables)
        },
      })
    },
    offerInverse(document, variables, said) {
      offerUndo({ said, undo: () => void send(document, variables).then(refresh) })
    },
  }
}

/** Sends what is held when its page is left, and takes the newest change back by the keyboard. */
export function useUndoing(): void {
  const [path] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page.
  useEffect(() => () => void sendHeld(), [path])
  useEffect(() => {
    const send = () => void sendHeld()
    addEventListener('pagehide', send)
    return () => removeEventListener('pagehide', send)
  }, [])
  useHotkeys([['mod+Z', () => [...offers.values()].at(-1)?.()]])
}
