import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

interface Loss {
  readonly title: string
  /** What goes. */
  readonly goes: ReactNode
  /** Of the button that does it. */
  readonly label: string
  readonly onConfirm: () => void
}

/** Asks before a change that cannot be undone. */
export function confirmLoss({ title, goes, label, onConfirm }: Loss): void {
  modals.openConfirmModal({
    title,
    children: goes,
    labels: { confirm: label, cancel: t.act.cancel },
    // Dark enough for white letters (WCAG 2.2, 4.5:1).
    confirmProps: { color: 'red.9' },
    onConfirm,
  })
}
