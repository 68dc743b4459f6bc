import type { DataCollectionQuery } from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { Asked } from '../../parts/panel.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn } from './money.tsx'
import { nameOf } from './names.ts'

type Costs = NonNullable<NonNullable<DataCollectionQuery['project']>['collectingCost']>

const costColumns: readonly Column<Costs['providers'][number]>[] = [
  textColumn(texts.provider, ({ provider }) => nameOf(provider)),
  textColumn(texts.model, ({ model }) => model),
  countColumn(texts.questions, ({ questions }) => questions),
  countColumn(texts.unpriced, ({ unpriced }) => unpriced),
  moneyColumn(texts.cost, ({ cost }) => cost),
]

const mostPrompts = 20

interface CostsProps {
  readonly project: string
  readonly costs: Costs
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}

/** What answers cost in the date range, by provider and by prompt. */
export function CostParts({ project, costs, asked }: CostsProps) {
  const { dateRange, questions, cost, providers, prompts } = costs
  if (questions === 0) return null
  const promptColumns: readonly Column<Costs['prompts'][number]>[] = [
    textColumn(
      t.columns.prompt,
      ({ text }) => text,
      ({ text, prompt }) =>
        prompt ? (
          <PageLink project={project} to={['prompts', prompt.id]}>
            {text}
          </PageLink>
        ) : (
          text
        ),
    ),
    countColumn(texts.questions, (row) => row.questions),
    moneyColumn(texts.cost, (row) => row.cost),
  ]
  return (
    <>
      <Part
        title={texts.costs}
        lead={texts.costsLead(dateRange.from, dateRange.to, questions, cost)}
        asked={asked}
        columns={costColumns}
        rows={providers}
        keyOf={({ provider, model }) => `${provider} ${model}`}
      />
      <Part
        title={texts.dearest}
        asked={asked}
        columns={promptColumns}
        rows={prompts.slice(0, mostPrompts)}
        keyOf={({ text, prompt }) => prompt?.id ?? text}
      />
    </>
  )
}
