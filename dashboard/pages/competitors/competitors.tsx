import { Text, Tooltip } from '@mantine/core'
import { Fragment } from 'react'
import type { ReportChart } from '../../../web/share/charts.ts'
import {
  CompetitorsDocument,
  type CompetitorsQuery,
  LeadingTopicsDocument,
} from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import { pointOf } from '../../parts/days.ts'
import { PageLink } from '../../parts/links.tsx'
import type { Opening, PageProps, Visit } from '../../parts/page.ts'
import { type Asked, Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { prefetch, useQuestion } from '../../state/ask.ts'
import { intervalOf } from '../../state/interval.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { brandColumns, ranksOf } from '../overview/brands.tsx'
import { type Ranked, rankedOf, useSureShares } from '../overview/ranked.ts'
import { Trend } from '../overview/trend.tsx'
import { Competitor } from './competitor.tsx'
import { SeenBrands } from './seen.tsx'
import { ShoppingAndAds } from './shopping.tsx'

type Found = NonNullable<CompetitorsQuery['project']>

const { competitors: texts } = t

const variablesOf = ({ project, window, filter }: Omit<Visit, 'state' | 'compare'>) => ({
  project,
  window,
  filter,
  interval: intervalOf(window),
})

export const competitorsOpening: Opening = ({ detail, ...visit }) =>
  detail ? undefined : prefetch(CompetitorsDocument, variablesOf(visit))

/** The tracked brands side by side, or one competitor. */
export function Competitors({ project, detail }: PageProps) {
  if (detail) return <Competitor project={project} brand={detail} />
  return <All project={project} />
}

function All({ project }: PageProps) {
  const variables = variablesOf({ ...useAddress(), project: project.id })
  const asked = { document: CompetitorsDocument, variables }
  return (
    <Answered query={useQuestion(CompetitorsDocument, variables)}>
      {({ project: found }) => found && <Shown found={found} asked={asked} project={project} />}
    </Answered>
  )
}

type Topics = readonly { readonly id: string; readonly name: string }[]

/** The topics that each brand leads, by the id of the brand. */
function useTopics(project: string): ReadonlyMap<string | undefined, Topics> {
  const { window, filter } = useAddress()
  const { data } = useQuestion(LeadingTopicsDocument, { project, window, filter })
  return new Map(
    (data?.project?.brands?.nodes ?? []).map(({ brand }) => [
      brand?.id,
      brand?.leadingTopics?.nodes ?? [],
    ]),
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<CompetitorsQuery, { project: string; interval: 'day' | 'week' | 'month' }>
}

/** Those that fit in a line: rows stay as high as they were before the topics came. */
const topicsAtFirst = 2

/** Topics as links, separated by commas; those that a row has no place for are in a tooltip. */
function Leads({ project, topics }: { readonly project: string; readonly topics: Topics }) {
  const more = topics.slice(topicsAtFirst).map(({ name }) => name)
  return (
    <div className="leads">
      {topics.slice(0, topicsAtFirst).map(({ id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <PageLink project={project} to={['prompts']} state={{ topics: id }}>
            {name}
          </PageLink>
        </Fragment>
      ))}
      {more.length > 0 && (
        <>
          {' '}
          <Tooltip label={more.join(', ')}>
            <Text span size="sm" c="dimmed" className="nowrap" tabIndex={0}>
              {texts.moreTopics(more.length)}
            </Text>
          </Tooltip>
        </>
      )}
    </div>
  )
}

function Shown({ found, asked, project }: ShownProps) {
  const topics = useTopics(project.id)
  const rows = rankedOf(found, useSureShares(project.id))
  if (rows.every(({ visibility }) => visibility.answerCount === 0)) {
    return <NoData project={project} />
  }
  const leads: Column<Ranked> = {
    name: texts.leads,
    isText: true,
    isLong: true,
    isMinor: true,
    value: ({ brand }) =>
      topics
        .get(brand.id)
        ?.map(({ name }) => name)
        .join(', ') ?? '',
    show: ({ brand }) => <Leads project={project.id} topics={topics.get(brand.id) ?? []} />,
  }
  const shares: ReportChart = {
    title: texts.share,
    section: texts.title,
    kind: 'bars',
    unit: 'percent',
    points: rows.slice(0, 10).map(({ brand, sov }) => pointOf(brand.name, sov)),
  }
  const own = new Set(rows.flatMap(({ brand }) => (brand.isOwn ? [brand.name] : [])))
  return (
    <>
      <div className="wide-and-narrow">
        <Trend project={project.id} found={found} asked={asked} />
        <Panel title={texts.share} asked={asked}>
          <Chart chart={shares} own={own} />
        </Panel>
      </div>
      <Part
        title={texts.brands}
        lead={texts.brandsLead}
        asked={asked}
        columns={[...brandColumns(project.id, ranksOf(rows)), leads]}
        rows={rows}
        keyOf={({ brand }) => brand.id}
        isOwn={({ brand }) => brand.isOwn}
        size={15}
      />
      <SeenBrands project={project}>
        <ShoppingAndAds project={project} />
      </SeenBrands>
    </>
  )
}
