import { z } from 'zod'
import { ChangeReportDocument, type DriverFragment } from '../documents.ts'
import { linkTo } from '../links.ts'
import { wrongArgument } from '../run.ts'
import { projectIdOf } from '../scope.ts'
import { rounded, rowsOf, type Table, withinBudget } from '../table.ts'
import { fenced } from '../untrusted.ts'
import { days, platforms, project, range, table, windowOf } from './schemas.ts'
import { tool } from './tool.ts'

/** A part of a change; what is left of a dimension has its contribution alone. */
type Row = Pick<DriverFragment, 'label' | 'contribution'> &
  Partial<DriverFragment> & { readonly dimension: string }

export const explainChange = tool({
  name: 'explain_change',
  title: 'Explain a change',
  description:
    'Why a metric changed against the window before: the change with its 95% interval, whether it is significant, and the platforms, topics, prompts and locations that made it. Contributions of one dimension sum to the change.',
  input: z.strictObject({
    project,
    metric: z.enum(['visibility', 'share_of_voice', 'sentiment', 'citations']),
    days: days(180),
    ...range,
    platforms,
    top: z.int().min(1).max(20).default(5).describe('Rows that rose and fell, of each dimension.'),
  }),
  output: table,
  async run(given, { ask, baseUrl, notices }): Promise<Table> {
    const window = windowOf(given)
    const id = await projectIdOf(ask, given.project)
    const filter = given.platforms ? { platforms: given.platforms } : {}
    const { metric, top } = given
    const asked = { project: id, window, filter, metric, top }
    const found = (await ask(ChangeReportDocument, asked)).project
    const change = found?.investigate
    if (!found || !change)
      throw wrongArgument(`No project "${given.project}".`, 'Call list_projects.')
    const rows: Row[] = change.movers.flatMap(
      ({ dimension, up, down, otherCount, contributionOfOthers: contribution }) => [
        ...[...up, ...down.toReversed()].map((driver) => ({ dimension, ...driver })),
        ...(otherCount > 0
          ? [
              {
                dimension,
                label: otherCount === 1 ? '1 other' : `${otherCount} others`,
                contribution,
              },
            ]
          : []),
      ],
    )
    const { change: points, interval, isSignificant, current, previous } = change
    const sizeOf = () => {
      if (typeof points !== 'number')
        return `${metric} has no change: one of the windows has no answer.`
      const sure = interval
        ? ` (95% interval ${rounded(interval.low)} to ${rounded(interval.high)})`
        : ''
      const verdict = isSignificant
        ? 'significant'
        : interval
          ? 'not significant'
          : 'too few answers for an interval'
      const ends = `from ${rounded(previous ?? 0)} to ${rounded(current ?? 0)}`
      return `${metric} changed by ${rounded(points)}${sure}, ${ends}: ${verdict}.`
    }
    const { dateRange, previousRange } = change
    return withinBudget(
      {
        project: { id: found.id, name: found.name },
        report: `change of ${metric}`,
        window: { ...dateRange, comparedWith: previousRange },
        ...rowsOf<Row>(
          [
            ['dimension', ({ dimension }) => dimension],
            ['part', ({ label }) => label],
            ['contribution', ({ contribution }) => contribution],
            ['previous', (row) => row.previous],
            ['current', (row) => row.current],
            ['by_rate', (row) => row.rateEffect],
            ['by_mix', (row) => row.mixEffect],
          ],
          rows,
        ),
        notes: [
          sizeOf(),
          ...change.evidence.map(
            ({ date, platform, answer, excerpt }) =>
              `Answer of ${platform.displayName} on ${date}${answer ? ` (id ${answer.nodeId})` : ''}: ${fenced(excerpt.slice(0, 300))}`,
          ),
          ...notices,
        ],
        link: linkTo(baseUrl, found.id, 'overview', {
          ...window,
          compare: 'previous_period',
          platforms: given.platforms,
        }),
      },
      'Ask again with a smaller `top`.',
    )
  },
})
