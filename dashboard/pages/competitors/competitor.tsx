import { SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { rolling } from '../../../core/rolling.ts'
import { shown } from '../../../web/share/numbers.ts'
import {
  CompetitorDocument,
  type CompetitorQuery,
  type CompetitorQueryVariables,
} from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { longColumn } from '../../parts/columns.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { PageLink, PromptLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { sourceColumns } from '../sources/columns.tsx'

const Lines = lazy(async () => ({ default: (await import('../../parts/lines.tsx')).Lines }))

type Found = NonNullable<CompetitorQuery['project']>
type Brand = NonNullable<Found['competitor']>
type Win = NonNullable<Found['promptResults']>['nodes'][number]

const { competitors: texts } = t

function Headline({ visibility, sentiment }: Brand) {
  if (!visibility || !sentiment) return null
  const { visibilityScore, averagePosition } = visibility.metrics
  const { positive, neutral, negative } = sentiment
  const rated = positive + neutral + negative
  const part = (number: number) => shown(rated ? (100 * number) / rated : 0, 'percent')
  return (
    <Figures>
      <Figure
        label={t.overview.visibility}
        unit="percent"
        metric={visibilityScore}
        words={texts.visibilityOf(visibility.mentionedIn, visibility.answerCount)}
      />
      <Figure
        label={t.overview.sentiment}
        unit="score"
        metric={sentiment.metrics.score}
        words={t.overview.sentimentOf(part(positive), part(neutral), part(negative), sentiment)}
      />
      <Figure
        label={t.overview.position}
        unit="position"
        metric={averagePosition}
        words={texts.positionOf(averagePosition.denominator)}
      />
    </Figures>
  )
}

type Points = NonNullable<Brand['visibility']>['trend']

/** The competitor and the own brand over time. */
function HeadToHead({
  found,
  brand,
  project,
  asked,
}: {
  readonly found: Found
  readonly brand: Brand
  readonly project: Project
  readonly asked: Asked<CompetitorQuery, CompetitorQueryVariables>
}) {
  const theirs = brand.visibility?.trend ?? []
  const ours = found.ownBrand.visibility?.trend ?? []
  const dates = [...new Set([...theirs, ...ours].map(({ date }) => date))].toSorted()
  const valuesOf = (points: Points) => {
    const byDate = new Map(points.map((point) => [point.date, point]))
    const found = dates.map(
      (date) => byDate.get(date)?.metrics.visibilityScore ?? { value: null, denominator: 0 },
    )
    return asked.variables.interval === 'day' ? rolling(found) : found.map(({ value }) => value)
  }
  const last = (points: Points) =>
    shown(points.at(-1)?.metrics.visibilityScore.value ?? null, 'percent')
  const first = (points: Points) =>
    shown(points[0]?.metrics.visibilityScore.value ?? null, 'percent')
  return (
    <Panel
      title={texts.trend}
      sub={t.overview.intervals[asked.variables.interval ?? 'day']}
      asked={asked}
      hasChart
    >
      <Suspense fallback={<Skeleton h={260} />}>
        <Lines
          title={texts.trend}
          unit="percent"
          labels={dates.map(t.dayOfYear)}
          series={[
            { name: project.name, isOwn: true, values: valuesOf(ours) },
            { name: brand.name, values: valuesOf(theirs) },
          ]}
          spoken={[
            t.overview.spoken(project.name, first(ours), last(ours)),
            t.overview.spoken(brand.name, first(theirs), last(theirs)),
          ].join(', ')}
        />
      </Suspense>
    </Panel>
  )
}

function winColumns(project: string, brand: string): readonly Column<Win>[] {
  return [
    longColumn(
      t.columns.prompt,
      ({ prompt }) => prompt?.text ?? '',
      ({ prompt }) => prompt && <PromptLink project={project} prompt={prompt} />,
    ),
    {
      name: brand,
      value: (row) => row.topCompetitorVisibility.value,
      show: (row) => shown(row.topCompetitorVisibility.value, 'percent'),
    },
    {
      name: texts.you,
      value: ({ visibility }) => visibility.value,
      show: ({ visibility }) => shown(visibility.value, 'percent'),
    },
  ]
}

/** One competitor: where it beats the own brand, by which sources, and in which answers. */
export function Competitor({ project, brand }: { project: Project; brand: string }) {
  const { window, filter, link } = useAddress()
  const wins = { ...filter, competitorIds: [brand], results: ['lost' as const] }
  const variables = {
    project: project.id,
    brand,
    window,
    filter,
    wins,
    interval: intervalOf(window),
  }
  const asked = { document: CompetitorDocument, variables }
  const from = { label: texts.title, href: link(pathOf(project.id, 'competitors')) }
  return (
    <Answered query={useQuestion(CompetitorDocument, variables)}>
      {({ project: found }) => {
        const one = found?.competitor
        if (!one) return <Heading title={texts.missing} from={from} />
        const topics = one.leadingTopics?.nodes ?? []
        return (
          <>
            <Heading
              title={one.name}
              from={from}
              sub={<Outside url={`https://${one.domain}`} name={one.domain} />}
            />
            <Headline {...one} />
            <HeadToHead found={found} brand={one} project={project} asked={asked} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} mb="md">
              <Part
                title={texts.wins}
                empty={texts.noWins}
                asked={asked}
                columns={winColumns(project.id, one.name)}
                rows={found.promptResults?.nodes ?? []}
                keyOf={({ prompt }) => prompt?.id ?? ''}
                size={8}
              />
              <Part
                title={texts.sources}
                empty={t.prompts.noSources}
                asked={asked}
                columns={sourceColumns(project.id)}
                rows={one.sources?.nodes ?? []}
                keyOf={({ domain }) => domain}
                size={8}
              />
            </SimpleGrid>
            <Panel title={texts.topics} asked={asked}>
              {topics.length === 0 && (
                <Text size="sm" c="dimmed">
                  {texts.noTopics}
                </Text>
              )}
              {topics.map(({ id, name }) => (
                <PageLink
                  key={id}
                  project={project.id}
                  to={['prompts']}
                  state={{ topics: id }}
                  size="sm"
                  mr="md"
                >
                  {name}
                </PageLink>
              ))}
            </Panel>
            <Title order={2} mb="sm">
              {texts.withoutYou}
            </Title>
            <AnswerReader
              project={project}
              filter={{ brands: { all: [brand], none: [project.id] } }}
              hasNoMentions
            />
          </>
        )
      }}
    </Answered>
  )
}
