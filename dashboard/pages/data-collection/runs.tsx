import { type OneRunFragment, RunsDocument } from '../../documents.ts'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn } from './money.tsx'

const isOpen = ({ status }: OneRunFragment) => status === 'queued' || status === 'running'

const sum = (run: OneRunFragment, of: (counts: OneRunFragment['coverage'][number]) => number) =>
  run.coverage.reduce((total, counts) => total + of(counts), 0)

const runColumns: readonly Column<OneRunFragment>[] = [
  timeColumn(t.dataCollection.started, ({ createdAt }) => createdAt),
  textColumn(
    t.dataCollection.schedule,
    ({ schedule }) => schedule?.name ?? t.dataCollection.byHand,
  ),
  textColumn(t.columns.state, ({ status }) => t.states[status]),
  textColumn(t.dataCollection.progress, (run) => {
    const asked = sum(run, (counts) => counts.asked)
    return t.dataCollection.ended(asked - sum(run, (counts) => counts.waiting), asked)
  }),
  countColumn(t.dataCollection.answered, (run) => sum(run, (counts) => counts.answered)),
  countColumn(t.dataCollection.absent, (run) => sum(run, (counts) => counts.absent)),
  countColumn(t.dataCollection.failed, (run) => sum(run, (counts) => counts.failed)),
  moneyColumn(t.dataCollection.cost, (run) => sum(run, (counts) => counts.cost)),
]

const refetchMs = 5000

/** The runs of a project, which are asked again while one is under way. */
export function Runs({ project }: { readonly project: string }) {
  const variables = { project }
  const query = useQuestion(RunsDocument, variables, {
    refetchInterval: ({ project: found }) => (found?.runs?.nodes.some(isOpen) ? refetchMs : false),
  })
  return (
    <Answered query={query}>
      {({ project: found }) => (
        <Part
          title={t.dataCollection.runs}
          empty={t.dataCollection.noRuns}
          asked={{ document: RunsDocument, variables }}
          columns={runColumns}
          rows={found?.runs?.nodes ?? []}
          keyOf={({ id }) => id}
          whole={() => wholeList(RunsDocument, { project }, (all) => all.project?.runs)}
        />
      )}
    </Answered>
  )
}
