import { ImportsDocument, type OneImportFragment, UndoImportDocument } from '../../documents.ts'
import { Act } from '../../parts/act.tsx'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { May } from '../../parts/may.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { Upload } from './upload.tsx'

/** Undoes an import: its rows go for everybody, so it asks first. */
function Undo({ project, found }: { project: string; found: OneImportFragment }) {
  const { id, status, startedAt, loaded } = found
  if (status !== 'finished') return null
  return (
    <Act
      label={t.imports.undo}
      of={t.moment(startedAt)}
      document={UndoImportDocument}
      variables={{ project, id }}
      confirm={t.imports.undoAsk(loaded)}
    />
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
    textColumn(t.columns.state, ({ status }) => t.imports.states[status]),
    {
      name: t.columns.actions,
      make: UndoImportDocument,
      isText: true,
      show: (found) => <Undo project={project} found={found} />,
    },
  ]
}

/** An upload, and all imports with the way back. */
export function Imports({ project }: PageProps) {
  const variables = { project: project.id }
  const query = useQuestion(ImportsDocument, variables)
  return (
    <>
      <May make="edit">
        <Upload project={project.id} />
      </May>
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
          />
        )}
      </Answered>
    </>
  )
}
