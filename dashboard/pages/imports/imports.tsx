import { Text } from '@mantine/core'
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

/** Runs of data collection are imports too. */
const isRun = (file: string) => /^run [0-9a-f-]{36}$/.test(file)

/** Where an import came from. */
function fileOf({ file }: OneImportFragment): string {
  if (file === null) return t.imports.noFile
  return isRun(file) ? t.imports.ofRun : file
}

/** Undoes an import: its rows go for everybody, so it asks first. */
function Undo({ project, found }: { project: string; found: OneImportFragment }) {
  const { id, status, startedAt, loaded, kind, file } = found
  if (status !== 'finished') return null
  return (
    <Act
      label={t.imports.undo}
      of={file === null ? t.moment(startedAt) : fileOf(found)}
      document={UndoImportDocument}
      variables={{ project, id }}
      confirm={t.imports.undoAsk(loaded, kind, file && !isRun(file) ? file : null)}
    />
  )
}

function columnsOf(project: string): readonly Column<OneImportFragment>[] {
  return [
    timeColumn(t.imports.at, ({ startedAt }) => startedAt),
    {
      ...textColumn(t.imports.kind, ({ kind }: OneImportFragment) => t.imports.kinds[kind]),
      isMinor: true,
    },
    textColumn(t.imports.from, fileOf, (found) => (
      <>
        {fileOf(found)}
        {found.status !== 'finished' && (
          <Text size="xs" c="dimmed" hiddenFrom="sm" aria-hidden>
            {t.imports.states[found.status]}
          </Text>
        )}
      </>
    )),
    {
      ...textColumn(t.imports.days, ({ from, to }: OneImportFragment) => t.imports.range(from, to)),
      isMinor: true,
    },
    { ...countColumn(t.imports.read, ({ read }: OneImportFragment) => read), isMinor: true },
    countColumn(t.imports.loaded, ({ loaded }) => loaded),
    {
      ...countColumn(t.imports.lost, ({ rejected }: OneImportFragment) => rejected),
      isMinor: true,
    },
    {
      ...textColumn(t.columns.state, ({ status }: OneImportFragment) => t.imports.states[status]),
      isMinor: true,
    },
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
