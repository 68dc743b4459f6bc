import { ActionIcon, Tooltip } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { notifyFailure } from '../parts/notify.ts'
import { t } from '../texts/texts.ts'
import type { SearchProps } from './palette.tsx'

const load = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** Opens a page, a project or a prompt by a few letters: ⌘K or Ctrl+K. */
export function Search(props: SearchProps) {
  const [isLoaded, setLoaded] = useState(false)
  async function open() {
    const { openPalette } = await load()
    setLoaded(true)
    openPalette()
  }
  const tryToOpen = () => void open().catch(notifyFailure)
  useHotkeys([['mod + K', tryToOpen]])
  return (
    <>
      <Tooltip label={t.shell.searchHint}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={tryToOpen}
          onPointerEnter={() => void load().catch(() => undefined)}
          aria-label={t.shell.search}
        >
          <IconSearch size={18} />
        </ActionIcon>
      </Tooltip>
      {isLoaded && (
        <Suspense>
          <Palette {...props} />
        </Suspense>
      )}
    </>
  )
}
