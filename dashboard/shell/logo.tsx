import { ThemeIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

export function Logo() {
  return (
    <ThemeIcon
      radius="md"
      size={28}
      variant="gradient"
      gradient={{ from: 'indigo', to: 'cyan', deg: 135 }}
      aria-hidden
    >
      <IconSearch size={16} />
    </ThemeIcon>
  )
}
