import {
  Avatar,
  Button,
  Combobox,
  Divider,
  Image,
  ScrollArea,
  Text,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { LogoDocument } from '../documents.ts'
import type { Project } from '../parts/page.ts'
import { newProjectPath, pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

interface ProjectMenuProps {
  readonly projects: readonly Project[]
  readonly project: Project
  readonly page: string
  readonly makesProjects: boolean
}

const searchFrom = 8
const newProject = ' new'

/** The logo of the project, or the initials of its name. */
function Logo({ project: { id, name } }: { readonly project: Project }) {
  const url = useQuestion(LogoDocument, { project: id }).data?.project?.logoUrl
  if (url)
    return <Image src={new URL(url).pathname} alt="" h={24} w="auto" maw={72} fit="contain" />
  return <Avatar size={24} name={name} color="initials" className="name-picture" aria-hidden />
}

/** Changes the project and keeps page and date range. */
export function ProjectMenu({ projects, project, page, makesProjects }: ProjectMenuProps) {
  const { state, link } = useAddress()
  const [, go] = useLocation()
  const [search, setSearch] = useState('')
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
    },
  })
  const found = projects.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  function choose(id: string) {
    box.closeDropdown()
    if (id === newProject) return go(newProjectPath)
    const { days, from, to, compare } = state
    const path = link(pathOf(id, page), {
      platforms: undefined,
      locations: undefined,
      topics: undefined,
      days,
      from,
      to,
      compare,
    })
    go(path)
  }
  return (
    <Combobox store={box} onOptionSubmit={choose} width={280} position="bottom-start" shadow="md">
      <Combobox.Target targetType="button">
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          onClick={() => box.toggleDropdown()}
          leftSection={<Logo project={project} />}
          rightSection={<IconChevronDown size={14} />}
        >
          <VisuallyHidden>{t.shell.project}: </VisuallyHidden>
          <Text
            span
            fw={600}
            size="sm"
            truncate
            title={project.name}
            maw={{ base: 120, sm: 220 }}
            c="var(--mantine-color-text)"
          >
            {project.name}
          </Text>
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {projects.length >= searchFrom && (
          <Combobox.Search
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            placeholder={t.shell.searchProjects}
          />
        )}
        <Combobox.Options aria-label={t.shell.project}>
          <ScrollArea.Autosize mah={320} type="auto">
            {found.map(({ id, name, domain }) => (
              <Combobox.Option key={id} value={id} active={id === project.id}>
                <Text size="sm" fw={id === project.id ? 600 : 400}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {domain}
                </Text>
              </Combobox.Option>
            ))}
          </ScrollArea.Autosize>
          {makesProjects && (
            <>
              <Divider my={4} />
              <Combobox.Option value={newProject}>
                <IconPlus size={14} style={{ verticalAlign: '-2px' }} /> {t.newProject.link}
              </Combobox.Option>
            </>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
