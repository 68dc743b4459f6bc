import { List, Progress, Text, Tooltip } from '@mantine/core'
import { type OneRunFragment, RetryRunDocument, RunsDocument } from '../../documents.ts'
import { actColumn, countColumn, textColumn } from '../../parts/columns.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { wholeList } from '../../state/whole.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn, moneyText } from './money.tsx'

export const isOpen = ({ status }: Pick<OneRunFragment, 'status'>) =>
  status === 'queued' || status === 'running'

type Counts = OneRunFragment['coverage'][number]

/** A count of a run over all providers. */
export const sumOf = (run: OneRunFragment, of: (counts: Counts) => number) =>
  run.coverage.reduce((total, counts) => total + of(counts), 0)

const askedOf = (run: OneRunFragment) => sumOf(run, ({ asked }) => asked)
export const endedOf = (run: OneRunFragment) => askedOf(run) - sumOf(run, ({ waiting }) => waiting)

const failedOf = (run: OneRunFragment) => sumOf(run, ({ failed }) => failed)

/** How many questions services work on, and how many wait at them. */
function UnderWay(run: OneRunFragment) {
  const running = sumOf(run, (counts) => counts.running)
  const queued = sumOf(run, (counts) => counts.queued)
  if (running + queued === 0) return null
  const expected = sumOf(run, ({ expectedCost }) => expectedCost)
  return (
    <Text size="xs" c="dimmed" className="wrap">
      {texts.underWay(queued, running, expected === 0 ? '' : moneyText(expected))}
    </Text>
  )
}

/** Why questions failed, in sentences; what the provider said is in the tooltip. */
function Reasons({ problems }: OneRunFragment) {
  if (problems.length === 0) return null
  return (
    <List size="sm" listStyleType="none">
      {problems.map(({ provider, label, message, summary, questions }) => (
        <List.Item key={`${provider} ${label} ${message}`}>
          <Tooltip label={message}>
            <Text span size="sm" className="wrap" tabIndex={0}>
              {texts.reason(summary, questions)}
            </Text>
          </Tooltip>
        </List.Item>
      ))}
    </List>
  )
}

function columnsOf(project: string, zone: string): readonly Column<OneRunFragment>[] {
  return [
    textColumn(
      texts.started,
      ({ createdAt }) => createdAt,
      ({ createdAt }) => <time dateTime={createdAt}>{texts.soon(createdAt, zone)}</time>,
    ),
    {
      ...textColumn(
        texts.schedule,
        ({ schedule }: OneRunFragment) => schedule?.name ?? texts.byHand,
      ),
      isMinor: true,
    },
    {
      ...textColumn(t.columns.state, ({ status }: OneRunFragment) => t.states[status]),
      isMinor: true,
    },
    textColumn(
      texts.progress,
      (run) => texts.ended(endedOf(run), askedOf(run)),
      (run) => (
        <>
          {texts.ended(endedOf(run), askedOf(run))}
          {isOpen(run) && (
            <Progress
              animated
              value={askedOf(run) === 0 ? 0 : (100 * endedOf(run)) / askedOf(run)}
              aria-label={texts.progress}
            />
          )}
          <UnderWay {...run} />
        </>
      ),
    ),
    {
      ...countColumn(texts.answered, (run: OneRunFragment) =>
        sumOf(run, ({ answered }) => answered),
      ),
      isMinor: true,
    },
    {
      ...countColumn(texts.absent, (run: OneRunFragment) => sumOf(run, ({ absent }) => absent)),
      isMinor: true,
    },
    countColumn(texts.failed, failedOf),
    {
      ...moneyColumn(texts.cost, (run: OneRunFragment) => sumOf(run, ({ cost }) => cost)),
      isMinor: true,
    },
    {
      ...textColumn(
        texts.why,
        ({ problems }: OneRunFragment) =>
          problems.map(({ summary, questions }) => texts.reason(summary, questions)).join(' '),
        (run) => <Reasons {...run} />,
      ),
      isLong: true,
    },
    actColumn(t.columns.actions, RetryRunDocument, (run) => {
      const failed = failedOf(run)
      if (isOpen(run) || failed === 0) return ''
      return {
        label: texts.retry(failed),
        of: texts.soon(run.createdAt, zone),
        document: RetryRunDocument,
        variables: { project, id: run.id },
      }
    }),
  ]
}

interface RunsProps {
  readonly project: string
  readonly zone: string
  readonly runs: readonly OneRunFragment[]
}

/** The runs of a project. The columns stay the same where nothing failed, so that a failure moves nothing. */
export function Runs({ project, zone, runs }: RunsProps) {
  return (
    <Part
      title={texts.runs}
      empty={texts.noRuns}
      lead={runs.length > 0 && texts.timesIn(zone)}
      asked={{ document: RunsDocument, variables: { project } }}
      columns={columnsOf(project, zone)}
      rows={runs}
      keyOf={({ id }) => id}
      whole={() => wholeList(RunsDocument, { project }, (all) => all.project?.runs)}
    />
  )
}
