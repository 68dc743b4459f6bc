import { useState } from 'react'
import { ImportsDocument, type OneImportFragment, UndoImportDocument } from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Paging } from '../../parts/paging.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { Upload } from './upload.tsx'

/** Undoes an import after a second press: its rows go for everybody. */
function Undo({ project, found }: { project: string; found: OneImportFragment }) {
  const [isAsked, setAsked] = useState(false)
  const { id, status, startedAt } = found
  if (status !== 'finished') return null
  const of = t.moment(startedAt)
  if (!isAsked) {
    return (
      <button type="button" aria-label={`${t.imports.undo}: ${of}`} onClick={() => setAsked(true)}>
        {t.imports.undo}
      </button>
    )
  }
  return (
    <div className="acts">
      <Act
        label={t.imports.surely}
        of={of}
        document={UndoImportDocument}
        variables={{ project, id }}
      />
      <button type="button" onClick={() => setAsked(false)}>
        {t.imports.keep}
      </button>
    </div>
  )
}

function columnsOf(project: string): readonly Column<OneImportFragment>[] {
  return [
    timeColumn(t.imports.at, ({ startedAt }) => startedAt),
    textColumn(t.imports.kind, ({ kind }) => t.imports.kinds[kind]),
    textColumn(t.imports.from, ({ file }) => file ?? t.imports.noFile),
    textColumn(t.imports.days, ({ from, to }) => t.imports.range(from, to)),
    countColumn(t.imports.read, ({ read }) => read),
    countColumn(t.imports.loaded, ({ loaded }) => loaded),
    countColumn(t.imports.lost, ({ rejected }) => rejected),
    textColumn(t.imports.state, ({ status }) => t.imports.states[status]),
    { name: t.imports.acts, show: (found) => <Undo project={project} found={found} /> },
  ]
}

/** Where do the numbers come from? Imports, with an upload and the way back. */
export function Imports({ project }: PageProps) {
  const { after } = useAddress().state
  const variables = { project: project.id, ...(after ? { after } : {}) }
  const query = useQuestion(ImportsDocument, variables)
  return (
    <>
      <Upload project={project.id} />
      <Answered query={query}>
        {({ project: found }) => (
          <Part
            title={t.imports.all}
            empty={t.imports.none}
            asked={{ document: ImportsDocument, variables }}
            columns={columnsOf(project.id)}
            rows={found?.imports?.nodes ?? []}
            keyOf={({ id }) => id}
            whole={() =>
              wholeList(ImportsDocument, { project: project.id }, (all) => all.project?.imports)
            }
            after={
              <Paging
                here={pathOf(project.id, 'imports')}
                {...(found?.imports && { pageInfo: found.imports.pageInfo })}
              />
            }
          />
        )}
      </Answered>
    </>
  )
}
