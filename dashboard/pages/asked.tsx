import { Link } from 'wouter'
import {
  AllUnansweredDocument,
  AskedDocument,
  type AskedQuery,
  type SureFragment,
} from '../documents.ts'
import { countColumn, ratioColumn, textColumn, timeColumn } from '../parts/columns.tsx'
import { rangeText } from '../parts/figures.tsx'
import type { PageProps } from '../parts/page.ts'
import { Paging } from '../parts/paging.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { Answered } from '../parts/states.tsx'
import { type Column, Part } from '../parts/table.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { wholeList } from '../state/whole.ts'
import { t } from '../texts/texts.ts'
import { NoData } from './no-data.tsx'
import { PromptAnswers } from './prompt-answers.tsx'

type Found = NonNullable<NonNullable<AskedQuery['project']>['visibilityByPrompt']>
type Row = Found['nodes'][number]
type Unanswered = NonNullable<
  NonNullable<AskedQuery['project']>['promptsWithoutAnswers']
>['nodes'][number]

const numbers: readonly Column<Row>[] = [
  {
    name: t.asked.byDay,
    show: ({ prompt }) => {
      const { dateRange, history } = prompt.visibilityHistory ?? {}
      if (!dateRange || !history) return null
      const days = history.map(({ date, totalResponses, metrics }) => {
        return { date, value: totalResponses > 0 ? metrics.visibilityScore.value : null }
      })
      return <Sparkline range={dateRange} days={days} />
    },
  },
  ratioColumn(t.columns.visibility, 'percent', ({ metrics }) => metrics.visibilityScore),
  {
    name: t.columns.interval,
    show: ({ metrics }) => basketText(metrics.visibilityScore),
    value: ({ metrics }) => basketText(metrics.visibilityScore),
  },
  ratioColumn(t.columns.position, 'position', ({ metrics }) => metrics.averagePosition),
  countColumn(t.columns.answers, ({ totalResponses }) => totalResponses),
  countColumn(t.asked.revision, ({ prompt }) => prompt.currentRevision),
]

/** The interval for exactly this prompt. */
const basketText = ({ basketLow, basketHigh }: SureFragment) =>
  rangeText(basketLow, basketHigh, 'percent')

const unansweredColumns: readonly Column<Unanswered>[] = [
  textColumn(t.columns.prompt, ({ text }) => text),
  textColumn(t.asked.topic, ({ topics }) => topics[0]?.name ?? ''),
  timeColumn(t.asked.since, ({ createdAt }) => createdAt),
]

/** What is asked? The prompts, or the answers to one of them. */
export function Asked({ project, detail }: PageProps) {
  if (detail) return <PromptAnswers project={project} prompt={detail} />
  return <Prompts project={project} />
}

function Prompts({ project }: PageProps) {
  const { window, filter, state, link } = useAddress()
  const { after } = state
  const variables = { project: project.id, window, filter, ...(after ? { after } : {}) }
  const columns: readonly Column<Row>[] = [
    textColumn(
      t.columns.prompt,
      ({ prompt }) => prompt.text,
      ({ prompt }) => (
        <Link href={link(pathOf(project.id, 'asked', prompt.id))}>{prompt.text}</Link>
      ),
    ),
    ...numbers,
  ]
  return (
    <Answered query={useQuestion(AskedDocument, variables)}>
      {({ project: found }) => {
        const list = found?.visibilityByPrompt
        if (!found || !list?.nodes.length) return <NoData project={project} />
        const { pageInfo, totalCount, nodes } = list
        const asked = { document: AskedDocument, variables }
        const unanswered = found.promptsWithoutAnswers?.nodes ?? []
        return (
          <>
            <Part
              title={t.asked.prompts}
              lead={t.asked.lead(nodes.length, totalCount ?? nodes.length)}
              asked={asked}
              columns={columns}
              rows={nodes}
              keyOf={({ prompt }) => prompt.id}
              whole={() =>
                wholeList(AskedDocument, variables, (all) => all.project?.visibilityByPrompt)
              }
              after={<Paging here={pathOf(project.id, 'asked')} pageInfo={pageInfo} />}
            />
            {unanswered.length > 0 && (
              <Part
                title={t.asked.unanswered}
                lead={t.asked.unansweredLead(
                  unanswered.length,
                  found.promptsWithoutAnswers?.totalCount ?? unanswered.length,
                )}
                asked={asked}
                columns={unansweredColumns}
                rows={unanswered}
                keyOf={({ id }) => id}
                whole={() =>
                  wholeList(
                    AllUnansweredDocument,
                    { project: project.id, window },
                    (all) => all.project?.promptsWithoutAnswers,
                  )
                }
              />
            )}
          </>
        )
      }}
    </Answered>
  )
}
