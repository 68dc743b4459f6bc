import { type OneRunFragment, RunsDocument } from '../../documents.ts'
import { countColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn } from './money.tsx'

const isOpen = ({ status }: OneRunFragment) => status === 'queued' || status === 'running'

const sum = (run: OneRunFragment, of: (counts: OneRunFragment['coverage'][number]) => number) =>
  run.coverage.reduce((total, counts) => total + of(counts), 0)

const runColumns: readonly Column<OneRunFragment>[] = [
  timeColumn(t.collecting.started, ({ createdAt }) => createdAt),
  textColumn(t.collecting.schedule, ({ schedule }) => schedule?.name ?? t.collecting.byHand),
  textColumn(t.collecting.state, ({ status }) => t.collecting.states[status]),
  textColumn(t.collecting.progress, (run) => {
    const asked = sum(run, (counts) => counts.asked)
    return t.collecting.ended(asked - sum(run, (counts) => counts.waiting), asked)
  }),
  countColumn(t.collecting.answered, (run) => sum(run, (counts) => counts.answered)),
  countColumn(t.collecting.absent, (run) => sum(run, (counts) => counts.absent)),
  countColumn(t.collecting.failed, (run) => sum(run, (counts) => counts.failed)),
  moneyColumn(t.collecting.cost, (run) => sum(run, (counts) => counts.cost)),
]

const refetchMs = 5000

/** The runs of a project, which are asked again while one is under way. */
export function Runs({ project }: { readonly project: string }) {
  const { after } = useAddress().state
  const variables = { project, ...(after ? { after } : {}) }
  const query = useQuestion(RunsDocument, variables, {
    refetchInterval: ({ project: found }) => (found?.runs?.nodes.some(isOpen) ? refetchMs : false),
  })
  return (
    <Answered query={query}>
      {({ project: found }) => (
        <Part
          title={t.collecting.runs}
          empty={t.collecting.noRuns}
          asked={{ document: RunsDocument, variables }}
          columns={runColumns}
          rows={found?.runs?.nodes ?? []}
          keyOf={({ id }) => id}
          whole={() => wholeList(RunsDocument, { project }, (all) => all.project?.runs)}
          after={
            <Paging
              here={pathOf(project, 'collecting')}
              {...(found?.runs && { pageInfo: found.runs.pageInfo })}
            />
          }
        />
      )}
    </Answered>
  )
}
