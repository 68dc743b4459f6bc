import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.css'
import { IconBuilding, IconMessageCircleQuestion } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { SearchDocument } from '../documents.ts'
import { pages } from '../pages/pages.ts'
import type { Project } from '../parts/page.ts'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

export interface SearchProps {
  readonly projects: readonly Project[]
  readonly project: Project
}

export const openPalette = () => spotlight.open()

/** Finds pages, projects and prompts by a few letters. */
export function Palette({ projects, project }: SearchProps) {
  const [query, setQuery] = useState('')
  const [, go] = useLocation()
  const { link } = useAddress()
  const { data } = useQuestion(
    SearchDocument,
    { project: project.id, search: query },
    { enabled: query.trim().length > 1 },
  )
  const open = (path: string) => () => go(link(path))
  const has = (text: string) => text.toLowerCase().includes(query.trim().toLowerCase())
  const places: SpotlightActionData[] = pages
    .filter(({ title, group }) => group !== 'setup' && has(title))
    .map(({ name, title, Icon }) => ({
      id: `page ${name}`,
      label: title,
      leftSection: <Icon size={18} />,
      onClick: open(pathOf(project.id, name)),
    }))
  const others: SpotlightActionData[] = projects
    .filter(({ id, name }) => id !== project.id && query.trim() && has(name))
    .map(({ id, name, domain }) => ({
      id: `project ${id}`,
      label: name,
      description: domain,
      leftSection: <IconBuilding size={18} />,
      onClick: open(pathOf(id, pages[0]?.name ?? '')),
    }))
  const prompts: SpotlightActionData[] = (
    query.trim() ? (data?.project?.prompts?.nodes ?? []) : []
  ).map(({ id, text }) => ({
    id: `prompt ${id}`,
    label: text,
    leftSection: <IconMessageCircleQuestion size={18} />,
    onClick: open(pathOf(project.id, 'prompts', id)),
  }))
  const groups = [
    { group: t.shell.pages, actions: places },
    { group: t.shell.prompts, actions: prompts },
    { group: t.shell.projects, actions: others },
  ].filter(({ actions }) => actions.length > 0)
  /** Enter opens the first hit where none is selected: a list that arrives later loses the selection. */
  function openFirst(event: KeyboardEvent<HTMLInputElement>) {
    const list = event.currentTarget.closest('[role=dialog]')
    if (event.key !== 'Enter' || list?.querySelector('[data-selected]')) return
    const [first] = groups.flatMap(({ actions }) => actions)
    if (!first || !query.trim()) return
    spotlight.close()
    // The actions above take no event: Spotlight types them as buttons that are clicked.
    first.onClick?.(event as never)
  }
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      filter={(_query, actions) => actions}
      nothingFound={t.shell.nothingFound}
      searchProps={{
        placeholder: t.shell.searchPlaceholder,
        'aria-label': t.shell.search,
        onKeyDown: openFirst,
      }}
      shortcut={null}
      scrollable
      maxHeight={480}
    />
  )
}
