import { Badge, Group, Text } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import { CrawlerPagesDocument, type CrawlerPagesQuery } from '../../documents.ts'
import { countColumn, longColumn, textColumn, timeColumn } from '../../parts/columns.tsx'
import { CountFigure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { PageLink } from '../../parts/links.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { statusColor, statusText } from './status.ts'

type Found = NonNullable<CrawlerPagesQuery['project']>
type Read = NonNullable<NonNullable<Found['crawler']>['pages']>['nodes'][number]
type Visit = NonNullable<Found['crawlerHits']>['nodes'][number]

const { aiTraffic } = t

interface Place {
  readonly host: string | null
  readonly path: string
  readonly page: { readonly id: string } | null
}

/** A requested path; a page of the site leads to its own page. */
function pathColumn<Row extends Place>(project: string): Column<Row> {
  return longColumn<Row>(
    aiTraffic.path,
    ({ host, path }) => `${host ?? ''}${path}`,
    ({ host, path, page }) => (
      <span className="wrap">
        {page ? (
          <PageLink project={project} to={['ai-traffic', page.id]}>
            {path}
          </PageLink>
        ) : (
          path
        )}{' '}
        <span className="address">{host}</span>
      </span>
    ),
  )
}

const readColumns = (project: string): readonly Column<Read>[] => [
  pathColumn<Read>(project),
  countColumn(aiTraffic.visits, ({ visits }) => visits),
  timeColumn(aiTraffic.lastSeen, ({ lastSeenAt }) => lastSeenAt),
]

const visitColumns = (project: string): readonly Column<Visit>[] => [
  timeColumn(aiTraffic.at, ({ at }) => at),
  pathColumn<Visit>(project),
  {
    name: aiTraffic.status,
    isText: true,
    value: ({ statusCode }) => statusText(statusCode),
    show: ({ statusCode }) => (
      <Badge color={statusColor(statusCode)}>{statusText(statusCode)}</Badge>
    ),
  },
  {
    ...textColumn<Visit>(
      aiTraffic.proof,
      ({ verification }) => aiTraffic.proofs[verification ?? 'claimed'],
    ),
    isMinor: true,
  },
]

/** One crawler: the pages that it reads, and its last visits. */
export function CrawlerPages({
  project,
  name,
}: {
  readonly project: Project
  readonly name: string
}) {
  const { window, link } = useAddress()
  const variables = { project: project.id, name, window }
  const asked = { document: CrawlerPagesDocument, variables }
  const from = { label: aiTraffic.title, href: link(pathOf(project.id, 'ai-traffic')) }
  return (
    <Answered query={useQuestion(CrawlerPagesDocument, variables)}>
      {({ project: found }) => {
        const crawler = found?.crawler
        if (!crawler) {
          return (
            <>
              <Heading title={name} from={from} />
              <Text c="dimmed">{aiTraffic.noVisits}</Text>
            </>
          )
        }
        const { verified = 0, claimed = 0, impostor = 0, signed = 0 } = crawler.verification ?? {}
        return (
          <>
            <Heading
              title={crawler.botName}
              from={from}
              sub={
                <Group gap={6} mt={4}>
                  <Badge color="gray">{crawler.botVendor}</Badge>
                  <Badge color="gray" variant="outline">
                    {aiTraffic.purposes[crawler.botCategory]}
                  </Badge>
                </Group>
              }
            />
            <Figures>
              <CountFigure
                label={aiTraffic.visits}
                value={shown(crawler.visits, 'count')}
                words={aiTraffic.lastVisit(t.moment(crawler.lastSeenAt))}
              />
              <CountFigure
                label={aiTraffic.paths}
                value={shown(crawler.paths, 'count')}
                words={aiTraffic.pathsOf}
              />
              <CountFigure
                label={aiTraffic.verified}
                value={shown(verified + signed, 'count')}
                words={aiTraffic.unverifiedOf(claimed, signed)}
              />
              <CountFigure
                label={aiTraffic.spoofed}
                value={shown(impostor, 'count')}
                words={aiTraffic.spoofedOf}
              />
            </Figures>
            <Part
              title={aiTraffic.readPages}
              asked={asked}
              columns={readColumns(project.id)}
              rows={crawler.pages?.nodes ?? []}
              keyOf={({ host, path }) => `${host}${path}`}
            />
            <Part
              title={aiTraffic.lastVisits}
              asked={asked}
              columns={visitColumns(project.id)}
              rows={found.crawlerHits?.nodes ?? []}
              keyOf={({ at, host, path }) => `${at} ${host}${path}`}
            />
          </>
        )
      }}
    </Answered>
  )
}
