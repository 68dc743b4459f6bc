import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../texts/texts.ts'

interface MoreProps {
  /** What the entries are about, for screen readers. */
  readonly of: string
  /** Entries of the menu. */
  readonly children: ReactNode
}

/** A button of three dots, with a menu of what else can be done. */
export function More({ of, children }: MoreProps) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.tools.menuOf(of)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
