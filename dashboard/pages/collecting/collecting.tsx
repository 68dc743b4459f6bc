import { Link } from 'wouter'
import { CollectingDocument, type CollectingQuery } from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn } from './money.tsx'
import { Runs } from './runs.tsx'
import { Schedules } from './schedules.tsx'
import { SpendingPart } from './spending.tsx'

type Found = NonNullable<CollectingQuery['project']>
type Coverage = NonNullable<NonNullable<Found['visibility']>['coverage']>[number]
type Costs = NonNullable<Found['collectingCost']>

const coverageColumns: readonly Column<Coverage>[] = [
  textColumn(t.collecting.provider, ({ provider }) => provider),
  countColumn(t.collecting.asked, ({ asked }) => asked),
  countColumn(t.collecting.answered, ({ answered }) => answered),
  countColumn(t.collecting.absent, ({ absent }) => absent),
  countColumn(t.collecting.failed, ({ failed }) => failed),
]

const costColumns: readonly Column<Costs['providers'][number]>[] = [
  textColumn(t.collecting.provider, ({ provider }) => provider),
  textColumn(t.collecting.model, ({ model }) => model),
  countColumn(t.collecting.questions, ({ questions }) => questions),
  countColumn(t.collecting.unpriced, ({ unpriced }) => unpriced),
  moneyColumn(t.collecting.cost, ({ cost }) => cost),
]

const mostPrompts = 20

function CostParts({
  project,
  costs,
  asked,
}: {
  readonly project: string
  readonly costs: Costs
  readonly asked: Asked<CollectingQuery, { project: string }>
}) {
  const { link } = useAddress()
  const { dateRange, questions, cost, providers, prompts } = costs
  if (questions === 0) return null
  const promptColumns: readonly Column<Costs['prompts'][number]>[] = [
    textColumn(
      t.columns.prompt,
      ({ text }) => text,
      ({ text, prompt }) =>
        prompt ? <Link href={link(pathOf(project, 'asked', prompt.id))}>{text}</Link> : text,
    ),
    countColumn(t.collecting.questions, (row) => row.questions),
    moneyColumn(t.collecting.cost, (row) => row.cost),
  ]
  return (
    <>
      <Part
        title={t.collecting.costs}
        lead={t.collecting.costsLead(dateRange.from, dateRange.to, questions, cost)}
        asked={asked}
        columns={costColumns}
        rows={providers}
        keyOf={({ provider, model }) => `${provider} ${model}`}
      />
      <Part
        title={t.collecting.dearest}
        asked={asked}
        columns={promptColumns}
        rows={prompts.slice(0, mostPrompts)}
        keyOf={({ text, prompt }) => prompt?.id ?? text}
      />
    </>
  )
}

/** Whom do we ask, and what does it cost? Schedules, runs, the success of providers, and spending against its caps. */
export function Collecting({ project }: PageProps) {
  const { window } = useAddress()
  const variables = { project: project.id, window }
  const asked = { document: CollectingDocument, variables }
  const query = useQuestion(CollectingDocument, variables)
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && (
          <>
            <SpendingPart project={project.id} spending={found.spending} />
            <Schedules
              project={project.id}
              schedules={found.schedules?.nodes ?? []}
              asked={asked}
            />
            <Runs project={project.id} />
            <Part
              title={t.collecting.providers}
              lead={t.collecting.providersLead}
              empty={t.collecting.noQuestions}
              asked={asked}
              columns={coverageColumns}
              rows={found.visibility?.coverage ?? []}
              keyOf={({ provider }) => provider}
            />
            {found.collectingCost && (
              <CostParts project={project.id} costs={found.collectingCost} asked={asked} />
            )}
          </>
        )
      }
    </Answered>
  )
}
