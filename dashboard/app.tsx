import { Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useSearch } from 'wouter'
import { ShellDocument } from './documents.ts'
import { pages } from './pages/pages.ts'
import { SignIn } from './pages/sign-in.tsx'
import type { Project } from './parts/page.ts'
import { Shell } from './parts/shell.tsx'
import { Answered, Loading } from './parts/states.tsx'
import { pathOf } from './state/address.ts'
import { useQuestion } from './state/ask.ts'
import { useKey } from './state/session.ts'
import { t } from './texts/texts.ts'

interface Place {
  readonly project: string
  readonly page: string
  readonly detail?: string | undefined
}

function Notice({ title, text }: { readonly title: string; readonly text?: string }) {
  return (
    <main className="sign-in" id="page">
      <p className="brand">{t.product}</p>
      <h1>{title}</h1>
      {text && <p className="lead">{text}</p>}
      <p>
        <a href="/">{t.shell.toStart}</a>
      </p>
    </main>
  )
}

function Placed({ projects, place }: { readonly projects: readonly Project[]; place: Place }) {
  const project = projects.find(({ id }) => id === place.project)
  const page = pages.find(({ name }) => name === place.page)
  useEffect(() => {
    if (page && project) document.title = `${page.title} \u2013 ${project.name}`
  }, [page, project])
  if (!project) return <Notice title={t.shell.missing} text={t.shell.missingProject} />
  if (!page) return <Notice title={t.shell.missing} />
  return (
    <Shell projects={projects} project={project} page={page.name}>
      <h1>{page.title}</h1>
      {/* Another project is another page: nothing of the first one stays. */}
      <Suspense fallback={<Loading />}>
        <page.Page key={project.id} project={project} detail={place.detail} />
      </Suspense>
    </Shell>
  )
}

function Routes({ projects }: { readonly projects: readonly Project[] }) {
  const search = useSearch()
  const [first] = projects
  const start = pages[0]?.name ?? ''
  if (!first) return <Notice title={t.shell.noProject} text={t.shell.noProjectHint} />
  return (
    <Switch>
      <Route path="/">
        <Redirect to={pathOf(first.id, start) + (search && `?${search}`)} replace />
      </Route>
      <Route path="/projects/:project/:page/:detail?">
        {(place) => <Placed projects={projects} place={place} />}
      </Route>
      <Route>
        <Notice title={t.shell.missing} />
      </Route>
    </Switch>
  )
}

/** The dashboard, or the sign-in. */
export function App({ notice }: { readonly notice?: string | undefined }) {
  const key = useKey()
  return key === null ? <SignIn notice={notice} /> : <SignedIn key={key} />
}

function SignedIn() {
  const query = useQuestion(ShellDocument, {})
  return <Answered query={query}>{({ projects }) => <Routes projects={projects.nodes} />}</Answered>
}
