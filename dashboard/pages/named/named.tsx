import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ReportChart } from '../../../web/share/charts.ts'
import { NamedDocument, type NamedQuery } from '../../documents.ts'
import { Chart } from '../../parts/chart.tsx'
import {
  changeColumn,
  countColumn,
  intervalColumn,
  longColumn,
  ratioColumn,
  textColumn,
} from '../../parts/columns.tsx'
import { pointOf } from '../../parts/days.ts'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Asked, type Column, Part } from '../../parts/table.tsx'
import { type Address, pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { NoData } from '../no-data.tsx'
import { NamedBrand } from './brand.tsx'
import { OverTime } from './over-time.tsx'
import { type Row, rowsOf } from './rows.ts'

type Found = NonNullable<NamedQuery['project']>

function columnsOf(project: string, { link }: Address): readonly Column<Row>[] {
  const topics = ({ brand }: Row) => brand.leadingTopics?.nodes.map(({ name }) => name) ?? []
  return [
    textColumn(
      t.columns.brand,
      ({ brand }) => brand.name,
      ({ brand }) =>
        brand.isOwn ? (
          brand.name
        ) : (
          <Link href={link(pathOf(project, 'named', brand.id))}>{brand.name}</Link>
        ),
    ),
    ratioColumn(t.columns.share, 'percent', ({ sov }) => sov),
    intervalColumn('percent', ({ sov }) => sov),
    changeColumn('percent', ({ change }) => change),
    ratioColumn(
      t.columns.visibility,
      'percent',
      ({ visibility }) => visibility.metrics.visibilityScore,
    ),
    ratioColumn(
      t.columns.position,
      'position',
      ({ visibility }) => visibility.metrics.averagePosition,
    ),
    ratioColumn(t.columns.tone, 'score', ({ sentiment }) => sentiment.metrics.score),
    countColumn(t.columns.answers, ({ visibility }) => visibility.responsesWithMention),
    longColumn(t.named.leads, (row) => topics(row).join(', ')),
  ]
}

/** Who else is named? The tracked brands side by side, or one of them. */
export function Named({ project, detail }: PageProps) {
  const address = useAddress()
  const { window, filter } = address
  const variables = { project: project.id, window, filter }
  const query = useQuestion(NamedDocument, variables, { enabled: detail === undefined })
  if (detail) return <NamedBrand project={project} brand={detail} />
  const asked = { document: NamedDocument, variables }
  return (
    <Answered query={query}>
      {({ project: found }) =>
        found && <Shown found={found} asked={asked} project={project} address={address} />
      }
    </Answered>
  )
}

interface ShownProps extends PageProps {
  readonly found: Found
  readonly asked: Asked<NamedQuery, { project: string }>
  readonly address: Address
}

function Shown({ found, asked, project, address }: ShownProps) {
  const rows = useMemo(() => rowsOf(found), [found])
  const chart = useMemo<ReportChart>(
    () => ({
      title: t.named.voice,
      section: t.named.title,
      kind: 'bars',
      unit: 'percent',
      points: rows.slice(0, 12).map(({ brand, sov }) => pointOf(brand.name, sov)),
    }),
    [rows],
  )
  const own = useMemo(() => {
    return new Set(rows.flatMap(({ brand }) => (brand.isOwn ? [brand.name] : [])))
  }, [rows])
  if (!rows[0]?.visibility.totalResponses) return <NoData project={project} />
  return (
    <>
      <Part
        title={t.named.brands}
        lead={`${t.named.brandsLead} ${t.sure.hollow}`}
        asked={asked}
        chart={<Chart chart={chart} own={own} />}
        isStacked
        columns={columnsOf(project.id, address)}
        rows={rows}
        keyOf={({ brand }) => brand.id}
        isOwn={({ brand }) => brand.isOwn}
      />
      <OverTime project={project.id} />
    </>
  )
}
