import { useEffect, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { CreateProjectDocument } from '../documents.ts'
import { ChangeForm, Field } from '../parts/form.tsx'
import { pathOf } from '../state/address.ts'
import { t } from '../texts/texts.ts'
import { pages } from './pages.ts'

export interface Home {
  readonly id: string
  readonly name: string
}

/** A competitor has a name and a domain, or it is an empty row. */
function competitorsOf(text: (name: string) => string, rows: number) {
  return Array.from({ length: rows }, (_, at) => ({
    name: text(`competitor-${at}`),
    domain: text(`competitor-domain-${at}`),
  })).filter(({ name, domain }) => name || domain)
}

const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

function OtherNames() {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{t.newProject.aliases}</label>
      <textarea id={id} name="aliases" rows={3} aria-describedby={`${id}h`} />
      <p className="lead" id={`${id}h`}>
        {t.newProject.aliasesHint}
      </p>
    </>
  )
}

/** Pairs of a name and a domain. */
function Competitors({ rows, onMore }: { readonly rows: number; onMore(): void }) {
  return (
    <fieldset>
      <legend>{t.newProject.competitors}</legend>
      <p className="lead">{t.newProject.competitorsHint}</p>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added, at the end
        <div className="fields" key={at}>
          <div>
            <Field
              name={`competitor-${at}`}
              label={t.newProject.competitor(at + 1)}
              isOptional
              mostCharacters={200}
            />
          </div>
          <div>
            <Field
              name={`competitor-domain-${at}`}
              label={t.newProject.competitorDomain(at + 1)}
              isOptional
            />
          </div>
        </div>
      ))}
      <button type="button" onClick={onMore}>
        {t.newProject.more}
      </button>
    </fieldset>
  )
}

/** Names the brand of a new project. Without a project yet, this is the first page. */
export function NewProject({ home, back }: { readonly home: Home; readonly back?: string }) {
  const [, go] = useLocation()
  const [rows, setRows] = useState(1)
  const title = back === undefined ? t.newProject.first : t.newProject.title
  useEffect(() => {
    document.title = `${title} \u2013 ${t.product}`
  }, [title])
  return (
    <main className="sign-in new-project" id="page">
      <p className="brand">{t.product}</p>
      <h1>{title}</h1>
      <p className="lead">{t.newProject.lead(home.name)}</p>
      <ChangeForm
        document={CreateProjectDocument}
        layout="column"
        variablesOf={(text) => ({
          workspace: home.id,
          name: text('name'),
          domain: text('domain'),
          aliases: linesOf(text('aliases')).map((alias) => ({ text: alias })),
          competitors: competitorsOf(text, rows),
        })}
        submit={t.newProject.submit}
        keeps
        onDone={({ createProject: answer }) => {
          if (answer && 'project' in answer) go(pathOf(answer.project.id, pages[0]?.name ?? ''))
        }}
      >
        <Field name="name" label={t.newProject.brand} mostCharacters={200} />
        <Field name="domain" label={t.newProject.domain} example="example.com" />
        <OtherNames />
        <Competitors rows={rows} onMore={() => setRows(rows + 1)} />
      </ChangeForm>
      {back !== undefined && (
        <p>
          <Link href={back}>{t.newProject.back}</Link>
        </p>
      )}
    </main>
  )
}
