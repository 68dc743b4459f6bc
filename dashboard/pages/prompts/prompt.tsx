import { Badge, Group, SimpleGrid, Tabs, Text } from '@mantine/core'
import { useLocation } from 'wouter'
import { rolling } from '../../../core/rolling.ts'
import { count } from '../../../web/share/numbers.ts'
import { PromptDocument, type PromptQuery, type PromptQueryVariables } from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { Chart } from '../../parts/chart.tsx'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import { pointOf } from '../../parts/days.ts'
import { Figure } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { DomainLink } from '../../parts/links.tsx'
import type { Project } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { intervalOf, stepsOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { sourceColumns } from '../sources/columns.tsx'
import { Chosen, Reword } from './change.tsx'

type Found = NonNullable<NonNullable<PromptQuery['project']>['prompt']>
type Source = NonNullable<Found['sources']>['nodes'][number]
type Query = NonNullable<Found['fanoutQueries']>['nodes'][number]
type Revision = NonNullable<Found['revisions']>['nodes'][number]

const { prompts: texts } = t

interface PartProps {
  readonly found: Found
  readonly project: Project
  readonly asked: Asked<PromptQuery, PromptQueryVariables>
}

/** Visibility, brands and top sources of the prompt. */
function Summary({ found, project, asked }: PartProps) {
  const { link } = useAddress()
  const { visibility, visibilityHistory, brands, sources } = found
  if (!visibility) return null
  const { summary, platforms } = visibility
  const rows = (brands?.nodes ?? []).flatMap(({ brand, ...standing }) =>
    brand ? [{ brand, metric: standing.visibility.metrics.visibilityScore }] : [],
  )
  const own = new Set(rows.flatMap(({ brand }) => (brand.isOwn ? [brand.name] : [])))
  const idOf = new Map(rows.map(({ brand }) => [brand.name, brand]))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} mb="md" className="summary">
      <ul className="plain figures-one">
        <Figure
          label={t.overview.visibility}
          hint={t.overview.visibilityHint}
          unit="percent"
          metric={summary.metrics.visibilityScore}
          words={texts.visibilityOf(summary.mentionedIn, summary.answerCount)}
          change={summary.changes?.visibilityScore}
          trend={rolling(
            (visibilityHistory?.history ?? []).map(({ metrics }) => metrics.visibilityScore),
          )}
        />
      </ul>
      <Panel title={texts.brands} asked={asked}>
        <Chart
          own={own}
          chart={{
            title: texts.brands,
            section: found.text,
            kind: 'bars',
            unit: 'percent',
            end: 100,
            points: rows.map(({ brand, metric }) => pointOf(brand.name, metric)),
          }}
          linkOf={(label) => {
            const brand = idOf.get(label)
            return brand && !brand.isOwn
              ? link(pathOf(project.id, 'competitors', brand.id))
              : undefined
          }}
        />
      </Panel>
      <Panel title={texts.byPlatform} asked={asked}>
        <Chart
          chart={{
            title: texts.byPlatform,
            section: found.text,
            kind: 'bars',
            unit: 'percent',
            end: 100,
            points: platforms.map(({ platform, metrics }) =>
              pointOf(platform.displayName, metrics.visibilityScore),
            ),
          }}
        />
      </Panel>
      <Panel title={texts.topSources} asked={asked}>
        {(sources?.nodes.length ?? 0) === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noSources}
          </Text>
        )}
        {sources?.nodes.slice(0, 6).map(({ domain, citedIn }) => (
          <Group key={domain} justify="space-between" wrap="nowrap" py={3}>
            <DomainLink project={project.id} domain={domain} size="sm" className="wrap" />
            <Text size="sm">{count(citedIn)}</Text>
          </Group>
        ))}
      </Panel>
    </SimpleGrid>
  )
}

const queryColumns: readonly Column<Query>[] = [
  textColumn(texts.query, ({ query }) => query),
  countColumn(texts.times, (row) => row.count),
]

const revisionColumns: readonly Column<Revision>[] = [
  countColumn(texts.revision, ({ revision }) => revision),
  textColumn(texts.wording, ({ text }) => text),
  textColumn(texts.from, ({ createdAt }) => t.moment(createdAt)),
]

const citedColumns = (project: string): readonly Column<Source>[] => [
  ...sourceColumns<Source>(project),
  countColumn(t.columns.citations, ({ citationCount }) => citationCount),
]

/** Visibility of the prompt by week: a day has too few answers for a line. */
function Weeks({ found, asked }: PartProps) {
  const { weeks } = found
  const steps = weeks ? stepsOf(weeks.dateRange, 'week') : []
  const byDate = new Map(weeks?.history.map((point) => [point.date, point]))
  if ((weeks?.history.length ?? 0) < 2) return null
  return (
    <Panel title={texts.overTime} asked={asked} hasChart>
      <Chart
        chart={{
          title: texts.overTime,
          section: found.text,
          kind: 'line',
          unit: 'percent',
          end: 100,
          points: steps.map((step) => {
            const point = byDate.get(step)
            return {
              label: t.dayOfYear(step),
              value: point?.metrics.visibilityScore.value ?? null,
              low: null,
              high: null,
              n: point?.answerCount ?? 0,
            }
          }),
        }}
      />
    </Panel>
  )
}

type Tab = keyof typeof texts.tabs

/** The answers to the prompt, and what stands behind them. */
function Behind({ found, project, asked, prompt }: PartProps & { readonly prompt: string }) {
  const { state, set } = useAddress()
  const tab = state.tab !== undefined && state.tab in texts.tabs ? (state.tab as Tab) : 'answers'
  const counts: Readonly<Partial<Record<Tab, number | null | undefined>>> = {
    sources: found.sources?.totalCount,
    searches: found.fanoutQueries?.totalCount,
  }
  return (
    <Tabs
      value={tab}
      onChange={(value) => set({ tab: value === 'answers' ? undefined : (value ?? undefined) })}
      keepMounted={false}
    >
      <Tabs.List mb="md" className="tab-list">
        {Object.entries(texts.tabs).map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label} {counts[value as Tab] != null && count(counts[value as Tab] ?? 0)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="answers">
        <AnswerReader project={project} prompt={prompt} />
      </Tabs.Panel>
      <Tabs.Panel value="sources">
        <Part
          title={t.answers.sources}
          empty={texts.noSources}
          asked={asked}
          columns={citedColumns(project.id)}
          rows={found.sources?.nodes ?? []}
          keyOf={({ domain }) => domain}
        />
      </Tabs.Panel>
      <Tabs.Panel value="searches">
        <Part
          title={texts.searches}
          lead={texts.searchesLead}
          empty={texts.noSearches}
          asked={asked}
          columns={queryColumns}
          rows={found.fanoutQueries?.nodes ?? []}
          keyOf={({ query }) => query}
        />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <Part
          title={texts.wordings}
          asked={asked}
          columns={revisionColumns}
          rows={found.revisions?.nodes ?? []}
          keyOf={({ revision }) => String(revision)}
        />
      </Tabs.Panel>
    </Tabs>
  )
}

/** One prompt: who wins it, why, and what was answered. */
export function Prompt({ project, prompt }: { project: Project; prompt: string }) {
  const { window, filter, compare, link } = useAddress()
  const [, go] = useLocation()
  const variables = {
    project: project.id,
    prompt,
    window,
    filter,
    compare,
    interval: intervalOf(window),
  }
  const asked = { document: PromptDocument, variables }
  const from = { label: texts.title, href: link(pathOf(project.id, 'prompts')) }
  return (
    <Answered query={useQuestion(PromptDocument, variables)}>
      {({ project: answer }) => {
        const found = answer?.prompt
        if (!found) return <Heading title={texts.missing} from={from} />
        return (
          <>
            <Heading
              title={found.text}
              from={from}
              right={
                <Group gap="xs">
                  <Reword project={project} prompt={prompt} text={found.text} />
                  <Chosen
                    project={project}
                    prompts={[{ id: prompt, text: found.text, topics: found.topics }]}
                    isPaused={!found.isTracked}
                    onDone={() => undefined}
                    onDeleted={() => go(from.href)}
                  />
                </Group>
              }
              sub={
                <Group gap={6} mt={4}>
                  {found.topics.map(({ id, name }) => (
                    <Badge key={id} color="gray">
                      {name}
                    </Badge>
                  ))}
                  {!found.isTracked && <Badge color="yellow">{texts.states.paused}</Badge>}
                  {found.intentCategory && (
                    <Badge color="gray" variant="outline">
                      {texts.intents[found.intentCategory]}
                    </Badge>
                  )}
                </Group>
              }
            />
            <Summary found={found} project={project} asked={asked} />
            <Weeks found={found} project={project} asked={asked} />
            <Behind found={found} project={project} asked={asked} prompt={prompt} />
          </>
        )
      }}
    </Answered>
  )
}
