import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

/** Says what went wrong where no field or card can. */
export function notifyFailure(error: unknown): void {
  notifications.show({
    color: 'red',
    title: t.failed,
    message: error instanceof Error ? error.message : '',
  })
}

/** Says that a change was made. */
export function notifyDone(message: ReactNode): void {
  notifications.show({ color: 'teal', message })
}
