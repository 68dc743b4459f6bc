import { Progress } from '@mantine/core'
import {
  DataCollectionDocument,
  type DataCollectionQuery,
  HasProviderKeysDocument,
} from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { CountFigure, Figures } from '../../parts/figures.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { PageProps } from '../../parts/page.ts'
import type { Asked } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { moneyColumn } from './money.tsx'
import { Runs } from './runs.tsx'
import { Schedules } from './schedules.tsx'
import { SpendingPart } from './spending.tsx'

type Found = NonNullable<DataCollectionQuery['project']>
type Coverage = NonNullable<NonNullable<Found['visibility']>['coverage']>[number]
type Costs = NonNullable<Found['collectingCost']>

const providerName = (provider: string) => t.dataCollection.providerNames[provider] ?? provider

const coverageColumns: readonly Column<Coverage>[] = [
  textColumn(t.dataCollection.provider, ({ provider }) => providerName(provider)),
  countColumn(t.dataCollection.asked, ({ asked }) => asked),
  countColumn(t.dataCollection.answered, ({ answered }) => answered),
  countColumn(t.dataCollection.absent, ({ absent }) => absent),
  countColumn(t.dataCollection.failed, ({ failed }) => failed),
]

const costColumns: readonly Column<Costs['providers'][number]>[] = [
  textColumn(t.dataCollection.provider, ({ provider }) => providerName(provider)),
  textColumn(t.dataCollection.model, ({ model }) => model),
  countColumn(t.dataCollection.questions, ({ questions }) => questions),
  countColumn(t.dataCollection.unpriced, ({ unpriced }) => unpriced),
  moneyColumn(t.dataCollection.cost, ({ cost }) => cost),
]

const mostPrompts = 20

function CostParts({
  project,
  costs,
  asked,
}: {
  readonly project: string
  readonly costs: Costs
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}) {
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
    countColumn(t.dataCollection.questions, (row) => row.questions),
    moneyColumn(t.dataCollection.cost, (row) => row.cost),
  ]
  return (
    <>
      <Part
        title={t.dataCollection.costs}
        lead={t.dataCollection.costsLead(dateRange.from, dateRange.to, questions, cost)}
        asked={asked}
        columns={costColumns}
        rows={providers}
        keyOf={({ provider, model }) => `${provider} ${model}`}
      />
      <Part
        title={t.dataCollection.dearest}
        asked={asked}
        columns={promptColumns}
        rows={prompts.slice(0, mostPrompts)}
        keyOf={({ text, prompt }) => prompt?.id ?? text}
      />
    </>
  )
}

interface StatusProps {
  readonly found: Found
}

const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0)

/** Is data coming, when does more come, and what does it cost? */
function Status({ found }: StatusProps) {
  const { spending, runs, schedules } = found
  const [run] = runs?.nodes ?? []
  const asked = sum(run?.coverage.map((counts) => counts.asked) ?? [])
  const failed = sum(run?.coverage.map((counts) => counts.failed) ?? [])
  const answered = sum(run?.coverage.map((counts) => counts.answered) ?? [])
  const active = (schedules?.nodes ?? []).filter(({ enabled }) => enabled)
  const broken = active.find(({ fault }) => fault)
  const next = active
    .filter(({ nextRunAt }) => nextRunAt)
    .toSorted((a, b) => ((a.nextRunAt ?? '') < (b.nextRunAt ?? '') ? -1 : 1))[0]
  const isBad = failed > 0 || broken !== undefined
  const words = broken
    ? t.dataCollection.scheduleFailed(broken.name)
    : failed > 0
      ? t.dataCollection.failedOf(failed, asked)
      : run
        ? t.dataCollection.lastRun(t.moment(run.createdAt), answered, asked)
        : ''
  const state = isBad
    ? t.dataCollection.attention
    : run
      ? t.dataCollection.allWell
      : t.dataCollection.nothingYet
  return (
    <Figures>
      <CountFigure label={t.dataCollection.status} value={state} words={words} isText />
      <CountFigure
        label={t.dataCollection.next}
        value={next?.nextRunAt ? t.moment(next.nextRunAt) : t.dataCollection.noNext}
        words={next?.name ?? ''}
        isText
      />
      <CountFigure
        label={t.dataCollection.today}
        value={t.dataCollection.money(spending.today)}
        words={
          spending.dayCap === null
            ? t.dataCollection.noCap
            : t.dataCollection.ofCap(spending.today, spending.dayCap)
        }
      >
        {spending.dayCap ? <Spent of={spending.today} cap={spending.dayCap} /> : null}
      </CountFigure>
      <CountFigure
        label={t.dataCollection.month}
        value={t.dataCollection.money(spending.thisMonth)}
        words={
          spending.monthCap === null
            ? t.dataCollection.noCap
            : t.dataCollection.ofCap(spending.thisMonth, spending.monthCap)
        }
      >
        {spending.monthCap ? <Spent of={spending.thisMonth} cap={spending.monthCap} /> : null}
      </CountFigure>
    </Figures>
  )
}

function Spent({ of, cap }: { readonly of: number; readonly cap: number }) {
  const share = Math.min(100, (100 * of) / cap)
  return <Progress value={share} color={share >= 90 ? 'orange' : 'indigo'} mt="xs" aria-hidden />
}

/** Is data coming, and what does it cost? Schedules, runs, providers, and spending against its limits. */
export function DataCollection({ project }: PageProps) {
  const { window } = useAddress()
  const variables = { project: project.id, window }
  const asked = { document: DataCollectionDocument, variables }
  const query = useQuestion(DataCollectionDocument, variables)
  // Who may not see the keys may be told by the service that there is none.
  const { data: keys } = useQuestion(HasProviderKeysDocument, { project: project.id })
  const hasKeys = keys?.project?.workspace.providerKeys?.nodes.length !== 0
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && (
          <>
            <Status found={found} />
            <Schedules
              project={project.id}
              schedules={found.schedules?.nodes ?? []}
              hasKeys={hasKeys}
              asked={asked}
            />
            <Runs project={project.id} />
            <Part
              title={t.dataCollection.providers}
              lead={t.dataCollection.providersLead}
              empty={t.dataCollection.noQuestions}
              asked={asked}
              columns={coverageColumns}
              rows={found.visibility?.coverage ?? []}
              keyOf={({ provider }) => provider}
            />
            {found.collectingCost && (
              <CostParts project={project.id} costs={found.collectingCost} asked={asked} />
            )}
            <SpendingPart project={project.id} spending={found.spending} />
          </>
        )
      }
    </Answered>
  )
}
