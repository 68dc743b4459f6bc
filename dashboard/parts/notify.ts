import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

export const closing = { closeButtonProps: { 'aria-label': t.act.close } }

/** Says what went wrong where no field or card can. */
export function notifyFailure(error: unknown): void {
  notifyRefused(t.failed, error)
}

/** Says that a change was not made, and why. */
export function notifyRefused(title: string, error: unknown): void {
  const message = error instanceof Error ? error.message : ''
  notifications.show({ ...closing, color: 'red', title, message })
}

/** Says that a change was made. */
export function notifyDone(message: ReactNode): void {
  notifications.show({ ...closing, color: 'teal', message })
}
