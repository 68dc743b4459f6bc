import {
  AppShell,
  Badge,
  Burger,
  Divider,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { CountsDocument } from '../documents.ts'
import { type Page, pages } from '../pages/pages.ts'
import type { Project } from '../parts/page.ts'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { useLive } from '../state/live.ts'
import { useMay } from '../state/may.ts'
import { t } from '../texts/texts.ts'
import { Account } from './account.tsx'
import { Filters } from './filters.tsx'
import { Logo } from './logo.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { Search } from './search.tsx'

/** So long nothing was on the way: the page is whole. */
const quietMs = 1500

/** Counts that matter, by the page that lists what they count. */
function useCounts(project: string): Readonly<Record<string, number>> {
  const { data } = useQuestion(CountsDocument, { project })
  return {
    alerts: data?.project?.alarms?.totalCount ?? 0,
    'site-audit': data?.project?.issues?.totalCount ?? 0,
    opportunities: data?.project?.opportunities?.totalCount ?? 0,
  }
}

interface NavigationProps {
  readonly project: Project
  readonly page: string
  onOpen(): void
}

function Navigation({ project, page, onOpen }: NavigationProps) {
  const { link } = useAddress()
  const counts = useCounts(project.id)
  const item = ({ name, title, Icon, load }: Page) => {
    const count = counts[name] ?? 0
    return (
      <NavLink
        key={name}
        component={Link}
        href={link(pathOf(project.id, name))}
        label={title}
        active={name === page}
        aria-current={name === page ? 'page' : undefined}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        rightSection={
          count > 0 && (
            <Badge size="sm" color="gray" aria-label={t.shell.open(count)}>
              {count}
            </Badge>
          )
        }
        onClick={onOpen}
        onPointerEnter={() => void load().catch(() => undefined)}
        className="nav-item"
      />
    )
  }
  return (
    <>
      {pages.filter(({ group }) => group === 'read').map(item)}
      <Divider my="xs" />
      {pages.filter(({ group }) => group === 'run').map(item)}
    </>
  )
}

/** Loads the code of the other pages when this one is whole and the browser has nothing else to do. */
function usePreloaded({ load: loadOwn }: Page): void {
  const isBusy = useIsFetching() > 0
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    // Until its code is here, a page has asked nothing yet.
    loadOwn().then(
      () => setLoaded(true),
      () => undefined,
    )
  }, [loadOwn])
  useEffect(() => {
    if (isBusy || !isLoaded) return
    const timer = setTimeout(() => {
      for (const { load, group } of pages) if (group === 'read') void load().catch(() => undefined)
    }, quietMs)
    return () => clearTimeout(timer)
  }, [isBusy, isLoaded])
}

/** Why a reader who may change nothing finds no buttons. */
function ViewOnly() {
  const may = useMay()
  if (may('write') || may('draft') || may('edit')) return null
  return (
    <Tooltip label={t.viewOnlyHint} multiline w={240}>
      <Badge component="div" color="gray" variant="light" fullWidth mb="xs" tabIndex={0}>
        {t.viewOnly}
      </Badge>
    </Tooltip>
  )
}

interface ShellProps {
  readonly projects: readonly Project[]
  readonly project: Project
  readonly page: Page
  /** Whether the key may make projects. */
  readonly makesProjects: boolean
  readonly children: ReactNode
}

/** What every page has around it: where the reader is, what it covers, and where else to go. */
export function Shell({ projects, project, page, makesProjects, children }: ShellProps) {
  const { link } = useAddress()
  const [isOpen, { toggle, close }] = useDisclosure()
  function leaveMenu() {
    if (!isOpen) return
    close()
    // The link with the focus goes out of sight with the menu.
    document.querySelector<HTMLElement>('#page')?.focus({ preventScroll: true })
  }
  useLive(project.id)
  usePreloaded(page)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t.shell.menu}
              aria-expanded={isOpen}
            />
            <Link
              href={link(pathOf(project.id, pages[0]?.name ?? ''))}
              className="home"
              aria-label={t.product}
            >
              <Logo />
              <Text span fw={750} visibleFrom="sm">
                {t.product}
              </Text>
            </Link>
            <Divider orientation="vertical" visibleFrom="sm" />
            <ProjectMenu
              {...{ projects, project, makesProjects }}
              page={page.group === 'setup' ? (pages[0]?.name ?? '') : page.name}
            />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Group visibleFrom="md" gap="xs" wrap="nowrap">
              <Filters project={project} names={page.filters} isWide />
            </Group>
            <Search projects={projects} project={project} />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t.shell.pages}>
        <ViewOnly />
        <ScrollArea type="auto">
          <Navigation project={project} page={page.name} onOpen={leaveMenu} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Group hiddenFrom="md" mb={6} gap="xs">
          <Filters project={project} names={page.filters} />
        </Group>
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
