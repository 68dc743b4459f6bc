import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { AssistantsDocument } from '../documents.ts'
import { pages } from '../pages/pages.ts'
import { defaultDays, newProjectPath, pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { useLive } from '../state/live.ts'
import { signOut } from '../state/session.ts'
import { t } from '../texts/texts.ts'
import type { Project } from './page.ts'

const windows = [7, 28, 30, 90, 365]
const schemeKey = 'sightline-scheme'
const schemes = ['auto', 'light', 'dark'] as const

/** Follows the system unless the reader chose; the choice stays in this browser. */
export function applyScheme(scheme = localStorage.getItem(schemeKey) ?? 'auto'): void {
  if (scheme === 'auto') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme
}

function SchemePicker() {
  const [scheme, setScheme] = useState(localStorage.getItem(schemeKey) ?? 'auto')
  useEffect(() => applyScheme(scheme), [scheme])
  return (
    <label>
      <span>{t.shell.scheme}</span>
      <select
        value={scheme}
        onChange={({ target }) => {
          localStorage.setItem(schemeKey, target.value)
          setScheme(target.value)
        }}
      >
        {schemes.map((each) => (
          <option key={each} value={each}>
            {t.shell.schemes[each]}
          </option>
        ))}
      </select>
    </label>
  )
}

function WindowPicker({ project }: { readonly project: Project }) {
  const { state, window, set } = useAddress()
  const { data } = useQuestion(AssistantsDocument, { project: project.id, window })
  const available = data?.project?.dataAvailable
  const isOwn = Boolean(state.from && state.to)
  const [isOpen, setOpen] = useState(false)
  const { days = String(defaultDays) } = state
  const choices = windows.includes(Number(days)) ? windows : [...windows, Number(days)]
  function choose(value: string) {
    setOpen(value === 'own')
    if (value !== 'own') set({ days: value, from: undefined, to: undefined })
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [from, to] = [String(form.get('from')), String(form.get('to'))].sort()
    set({ from, to, days: undefined })
  }
  return (
    <>
      <label>
        <span>{t.shell.window}</span>
        <select
          value={isOwn || isOpen ? 'own' : days}
          onChange={({ target }) => choose(target.value)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {t.shell.days(each)}
            </option>
          ))}
          <option value="own">{t.shell.ownWindow}</option>
        </select>
      </label>
      {(isOwn || isOpen) && (
        <form className="dates" onSubmit={submit} key={`${state.from}${state.to}${available?.to}`}>
          <label>
            <span>{t.shell.from}</span>
            <input name="from" type="date" required defaultValue={state.from ?? available?.from} />
          </label>
          <label>
            <span>{t.shell.to}</span>
            <input name="to" type="date" required defaultValue={state.to ?? available?.to} />
          </label>
          <button type="submit">{t.shell.apply}</button>
        </form>
      )}
    </>
  )
}

function AssistantPicker({ project }: { readonly project: Project }) {
  const { state, window, set } = useAddress()
  const { data } = useQuestion(AssistantsDocument, { project: project.id, window })
  const found = data?.project?.visibilityByPlatform?.platforms ?? []
  const chosen = state.assistant ?? ''
  const isListed = chosen === '' || found.some(({ platform }) => platform.slug === chosen)
  return (
    <label>
      <span>{t.shell.assistant}</span>
      <select value={chosen} onChange={({ target }) => set({ assistant: target.value })}>
        <option value="">{t.shell.allAssistants}</option>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {found.map(({ platform: { slug, displayName } }) => (
          <option key={slug} value={slug}>
            {displayName}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ShellProps {
  readonly projects: readonly Project[]
  readonly project: Project
  readonly page: string
  /** Whether the key may make projects. */
  readonly makesProjects: boolean
  readonly children: ReactNode
}

/** What stands around every page: where the reader is, and where else to go. */
export function Shell({ projects, project, page, makesProjects, children }: ShellProps) {
  const { link } = useAddress()
  const [, go] = useLocation()
  useLive(project.id)
  return (
    <>
      <a className="skip" href="#page">
        {t.skip}
      </a>
      <header className="top">
        <p className="brand">
          <Link href={link(pathOf(project.id, pages[0]?.name ?? ''))}>{t.product}</Link>
        </p>
        <div className="pickers">
          <label>
            <span>{t.shell.project}</span>
            <select
              value={project.id}
              onChange={({ target }) => go(link(pathOf(target.value, page)))}
            >
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {makesProjects && (
            <Link className="button" href={newProjectPath}>
              {t.newProject.link}
            </Link>
          )}
          <WindowPicker project={project} />
          <AssistantPicker project={project} />
          <SchemePicker />
          <button type="button" onClick={() => void signOut()}>
            {t.shell.signOut}
          </button>
        </div>
      </header>
      <div className="frame">
        <nav aria-label={t.shell.pages}>
          <ul>
            {pages.map(({ name, nav }) => (
              <li key={name}>
                <Link
                  href={link(pathOf(project.id, name))}
                  aria-current={name === page ? 'page' : undefined}
                >
                  {nav}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <main id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  )
}
