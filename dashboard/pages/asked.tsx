import { Link } from 'wouter'
import { shown } from '../../web/share/numbers.ts'
import { AskedDocument, type AskedQuery } from '../documents.ts'
import { rangeText } from '../parts/figures.tsx'
import type { PageProps } from '../parts/page.ts'
import { Answered } from '../parts/states.tsx'
import { type Column, Part } from '../parts/table.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'
import { NoData } from './no-data.tsx'
import { PromptAnswers } from './prompt-answers.tsx'

type Found = NonNullable<NonNullable<AskedQuery['project']>['visibilityByPrompt']>
type Row = Found['nodes'][number]

const textOf = ({ text }: Row) => text
const score = ({ metrics }: Row) => metrics.visibilityScore

const numbers: readonly Column<Row>[] = [
  {
    name: t.columns.visibility,
    show: (row) => shown(score(row).value, 'percent'),
    value: (row) => score(row).value,
  },
  {
    name: t.columns.interval,
    show: (row) => rangeText(score(row).basketLow, score(row).basketHigh, 'percent'),
    value: (row) => rangeText(score(row).basketLow, score(row).basketHigh, 'percent'),
  },
  {
    name: t.columns.position,
    show: ({ metrics }) => shown(metrics.averagePosition.value, 'position'),
    value: ({ metrics }) => metrics.averagePosition.value,
  },
  {
    name: t.columns.answers,
    show: ({ totalResponses }) => shown(totalResponses, 'count'),
    value: ({ totalResponses }) => totalResponses,
  },
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
    {
      name: t.columns.prompt,
      show: ({ promptId, text }) => (
        <Link href={link(pathOf(project.id, 'asked', promptId))}>{text}</Link>
      ),
      value: textOf,
    },
    ...numbers,
  ]
  return (
    <Answered query={useQuestion(AskedDocument, variables)}>
      {({ project: found }) => {
        const list = found?.visibilityByPrompt
        if (!list?.nodes.length) return <NoData project={project} />
        const { pageInfo, totalCount, nodes } = list
        const more = pageInfo.hasNextPage && pageInfo.endCursor
        return (
          <Part
            title={t.asked.prompts}
            lead={t.asked.lead(nodes.length, totalCount ?? nodes.length)}
            asked={{ document: AskedDocument, variables }}
            columns={columns}
            rows={nodes}
            keyOf={({ promptId }) => promptId}
            after={
              <p className="pages">
                {after && <Link href={link(pathOf(project.id, 'asked'))}>{t.tools.first}</Link>}
                {more && (
                  <Link href={link(pathOf(project.id, 'asked'), { after: more })}>
                    {t.tools.next}
                  </Link>
                )}
              </p>
            }
          />
        )
      }}
    </Answered>
  )
}
