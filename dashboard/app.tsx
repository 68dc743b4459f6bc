import { Anchor, Button, Center, Container, Group, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, Redirect, Route, Switch, useRoute, useSearch } from 'wouter'
import { ShellDocument, type ShellQuery } from './documents.ts'
import type { Home } from './pages/new-project.tsx'
import { pages } from './pages/pages.ts'
import type { Project } from './parts/page.ts'
import { Answered, Headed, Loading } from './parts/states.tsx'
import { useUndoing } from './parts/undo.tsx'
import { Mixed } from './shell/filters.tsx'
import { Logo } from './shell/logo.tsx'
import { Shell } from './shell/shell.tsx'
import { accountPath, newProjectPath, pathOf, placeOf } from './state/address.ts'
import { useQuestion } from './state/ask.ts'
import { useKeptFocus } from './state/focus.ts'
import { Permissions } from './state/may.ts'
import { useSession } from './state/session.ts'
import { t } from './texts/texts.ts'

interface Place {
  readonly project: string
  readonly page: string
  readonly detail?: string | undefined
}

/** A page without a project: what the reader looked for is not there. */
function Notice({ title, text }: { readonly title: string; readonly text?: string }) {
  useEffect(() => {
    document.title = `${title} – ${t.product}`
  }, [title])
  return (
    <Center mih="100vh" p="md" component="main" id="page">
      <Stack align="center" maw={420} ta="center">
        <Logo />
        <Title order={1}>{title}</Title>
        {text && <Text c="dimmed">{text}</Text>}
        <Button component="a" href="/" variant="light">
          {t.shell.toStart}
        </Button>
      </Stack>
    </Center>
  )
}

const NewProject = lazy(async () => ({
  default: (await import('./pages/new-project.tsx')).NewProject,
}))

/** The workspace where the key may make projects. */
function homeOf({ currentKey }: ShellQuery): Home | undefined {
  const { scopes = [], role, workspace } = currentKey ?? {}
  return workspace && role !== 'viewer' && scopes.includes('admin') ? workspace : undefined
}

/** Those who are signed in need none of them. */
const SignIn = lazy(async () => ({ default: (await import('./pages/sign-in.tsx')).SignIn }))
const Join = lazy(async () => ({ default: (await import('./pages/join.tsx')).Join }))
const Reset = lazy(async () => ({ default: (await import('./pages/reset.tsx')).Reset }))

const Account = lazy(async () => ({
  default: (await import('./pages/settings/account.tsx')).Account,
}))

/** The account of the reader, who may have no project yet. */
function OwnAccount() {
  useEffect(() => {
    document.title = `${t.account.title} – ${t.product}`
  }, [])
  return (
    <Container size="md" p="md" component="main" id="page">
      <Group gap="xs" mb="md">
        <Logo />
        <Anchor component={Link} href="/">
          {t.shell.toStart}
        </Anchor>
      </Group>
      <Title order={1} mb="md">
        {t.account.title}
      </Title>
      <Suspense fallback={<Loading />}>
        <Account />
      </Suspense>
    </Container>
  )
}

const Connect = lazy(async () => ({
  default: (await import('./pages/connect.tsx')).Connect,
}))

interface Reached {
  readonly projects: readonly Project[]
  readonly home: Home | undefined
}

/** Pages without objects of their own: their heading stays, whatever follows in the address. */
const undivided = new Set([
  'overview',
  'site-audit',
  'opportunities',
  'data-collection',
  'imports',
  'alerts',
])

/** The page that writes its heading itself, whatever it shows below it. */
const selfHeaded = 'settings'

function Placed({ projects, home, place }: Reached & { readonly place: Place }) {
  const project = projects.find(({ id }) => id === place.project)
  const page = pages.find(({ name }) => name === place.page)
  useEffect(() => {
    if (page && project) document.title = `${page.title} – ${project.name}`
  }, [page, project])
  if (!project) return <Notice title={t.shell.missing} text={t.shell.missingProject} />
  if (!page) return <Notice title={t.shell.missing} text={t.shell.missingHint} />
  const isOfObject = Boolean(place.detail) && !undivided.has(page.name)
  return (
    <Permissions value={project.permissions}>
      <Shell projects={projects} project={project} page={page} makesProjects={home !== undefined}>
        {!isOfObject && (
          <Group justify="space-between" gap="xs" mb={{ base: 'xs', md: 'md' }}>
            <Title order={1}>{page.title}</Title>
            <Mixed project={project} names={page.filters} />
          </Group>
        )}
        <Suspense fallback={<Loading />}>
          <Headed value={!isOfObject || page.name === selfHeaded}>
            {/* Another project or object is another page: nothing of the first one stays. */}
            <page.Page
              key={`${project.id} ${place.detail}`}
              project={project}
              detail={place.detail}
            />
          </Headed>
        </Suspense>
      </Shell>
    </Permissions>
  )
}

function Routes({ projects, home }: Reached) {
  const search = useSearch()
  const [first] = projects
  const start = pages[0]?.name ?? ''
  const [isAccount] = useRoute(accountPath)
  useUndoing()
  if (isAccount) return <OwnAccount />
  if (!first && !home) return <Notice title={t.shell.noProject} text={t.shell.noProjectHint} />
  return (
    <Switch>
      <Route path="/">
        <Redirect
          to={first ? pathOf(first.id, start) + (search && `?${search}`) : newProjectPath}
          replace
        />
      </Route>
      <Route path={newProjectPath}>
        {home ? (
          <Permissions value={['connect']}>
            <Suspense fallback={<Loading />}>
              <NewProject home={home} {...(first && { back: '/' })} />
            </Suspense>
          </Permissions>
        ) : (
          <Notice title={t.newProject.title} text={t.newProject.needsAdmin} />
        )}
      </Route>
      <Route path="/projects/:project">
        {({ project }) => <Redirect to={pathOf(project, start)} replace />}
      </Route>
      <Route path="/projects/:project/:page/:detail?">
        {(place) => (
          <Placed
            projects={projects}
            home={home}
            place={{ ...place, detail: placeOf(location.pathname).detail }}
          />
        )}
      </Route>
      <Route>
        <Notice title={t.shell.missing} text={t.shell.missingHint} />
      </Route>
    </Switch>
  )
}

/** The token of a mailed link, which the address loses so that its history does not keep it. */
function useLink(path: '/join' | '/reset'): string {
  const [token] = useState(() => (location.pathname === path ? location.hash.slice(1) : ''))
  useEffect(() => {
    if (token) history.replaceState(null, '', path)
  }, [token, path])
  return token
}

/** The dashboard, or the sign-in. */
export function App({ notice }: { readonly notice?: string | undefined }) {
  const state = useSession()
  useKeptFocus()
  const invitation = useLink('/join')
  const reset = useLink('/reset')
  if (invitation) {
    return (
      <Suspense>
        <Join token={invitation} />
      </Suspense>
    )
  }
  if (reset) {
    return (
      <Suspense fallback={<Loading />}>
        <Reset token={reset} />
      </Suspense>
    )
  }
  if (state === 'ending') return <Loading />
  const isConnect = location.pathname.startsWith('/connect/')
  if (state === 'out') {
    return (
      <Suspense>
        <SignIn notice={notice ?? (isConnect ? t.signIn.toConnect : undefined)} />
      </Suspense>
    )
  }
  if (!isConnect) return <SignedIn />
  return (
    <Suspense fallback={<Loading />}>
      <Connect />
    </Suspense>
  )
}

function SignedIn() {
  const query = useQuestion(ShellDocument, {})
  return (
    <Answered query={query}>
      {(shell) => <Routes projects={shell.projects.nodes} home={homeOf(shell)} />}
    </Answered>
  )
}
