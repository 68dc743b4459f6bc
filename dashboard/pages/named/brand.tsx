import { Link } from 'wouter'
import { NamedBrandDocument, type NamedBrandQuery } from '../../documents.ts'
import { AnswerList } from '../../parts/answer/answer-list.tsx'
import { Chart } from '../../parts/chart.tsx'
import {
  countColumn,
  dayColumn,
  intervalColumn,
  ratioColumn,
  textColumn,
} from '../../parts/columns.tsx'
import { dailyChart } from '../../parts/days.ts'
import { Figure } from '../../parts/figures.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'

type Brand = NonNullable<NonNullable<NamedBrandQuery['project']>['competitor']>

function Figures({ visibility, sentiment }: Brand) {
  if (!visibility || !sentiment) return null
  const { visibilityScore, averagePosition } = visibility.metrics
  const { positive, neutral, negative } = sentiment
  return (
    <ul className="tiles">
      <Figure
        label={t.standing.visibility}
        unit="percent"
        metric={visibilityScore}
        words={t.named.visibilityOf(visibility.responsesWithMention, visibility.totalResponses)}
      />
      <Figure
        label={t.standing.tone}
        unit="score"
        metric={sentiment.metrics.score}
        words={t.standing.toneOf(positive, neutral, negative)}
      />
      <Figure
        label={t.standing.position}
        unit="position"
        metric={averagePosition}
        words={t.named.positionOf(averagePosition.denominator)}
      />
    </ul>
  )
}

const dayColumns = [
  dayColumn<Day>(({ date }) => date),
  ratioColumn<Day>(t.columns.visibility, 'percent', ({ metrics }) => metrics.visibilityScore),
  intervalColumn<Day>('percent', ({ metrics }) => metrics.visibilityScore),
  countColumn<Day>(t.columns.answers, ({ totalResponses }) => totalResponses),
]

type Day = NonNullable<Brand['visibility']>['trend'][number]
type Source = NonNullable<Brand['sources']>['nodes'][number]

/** One competitor: how answers name it, where it leads, and the answers that name both. */
export function NamedBrand({ project, brand }: { project: Project; brand: string }) {
  const { window, filter, state, link } = useAddress()
  const { after } = state
  const both = { ...filter, mentioned: true }
  const variables = {
    project: project.id,
    brand,
    window,
    filter,
    both,
    ...(after ? { after } : {}),
  }
  const asked = { document: NamedBrandDocument, variables }
  const sourceColumns = [
    textColumn<Source>(
      t.columns.domain,
      ({ domain }) => domain,
      ({ domain }) => <Link href={link(pathOf(project.id, 'cited', domain))}>{domain}</Link>,
    ),
    textColumn<Source>(t.columns.kind, ({ type }) => t.sourceTypes[type]),
    countColumn<Source>(t.columns.answers, ({ answers }) => answers),
    countColumn<Source>(t.columns.citations, ({ totalCitations }) => totalCitations),
  ]
  return (
    <>
      <p>
        <Link href={link(pathOf(project.id, 'named'))}>{t.named.back}</Link>
      </p>
      <Answered query={useQuestion(NamedBrandDocument, variables)}>
        {({ project: found }) => {
          const one = found?.competitor
          if (!one) return <p className="state">{t.named.missing}</p>
          const days = one.visibility?.trend.filter(({ totalResponses }) => totalResponses > 0)
          const topics = one.leadingTopics?.nodes ?? []
          return (
            <>
              <h2 className="subject">{one.name}</h2>
              <p className="lead">{one.domain}</p>
              <Figures {...one} />
              <Part
                title={t.named.byDay}
                asked={asked}
                chart={
                  <Chart
                    chart={dailyChart(
                      t.named.byDay,
                      one.name,
                      found.visibility?.dateRange,
                      days ?? [],
                    )}
                  />
                }
                columns={dayColumns}
                rows={days?.toReversed() ?? []}
                keyOf={({ date }) => date}
              />
              <section className="part">
                <h2>{t.named.topics}</h2>
                {topics.length === 0 && <p className="lead">{t.named.noTopics}</p>}
                <ul>
                  {topics.map(({ id, name }) => (
                    <li key={id}>{name}</li>
                  ))}
                </ul>
              </section>
              <Part
                title={t.named.sources}
                asked={asked}
                columns={sourceColumns}
                rows={one.sources?.nodes ?? []}
                keyOf={({ domain }) => domain}
              />
              <AnswerList
                title={t.named.both}
                project={project.id}
                here={pathOf(project.id, 'named', brand)}
                found={one.answers}
              />
            </>
          )
        }}
      </Answered>
    </>
  )
}
