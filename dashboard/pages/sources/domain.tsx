import { SimpleGrid, Title } from '@mantine/core'
import { shown } from '../../../web/share/numbers.ts'
import { AllUrlsOfDomainDocument, DomainDocument, type DomainQuery } from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { countColumn } from '../../parts/columns.tsx'
import { CountFigure, Figure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'
import { Authority } from './authority.tsx'
import { Brands } from './brands.tsx'
import { pageColumns } from './columns.tsx'

type Found = NonNullable<NonNullable<DomainQuery['project']>['sourceDomain']>
type Url = NonNullable<Found['urls']>['nodes'][number]

const { sources: texts } = t

const urlColumns = (project: string): readonly Column<Url>[] => [
  ...pageColumns<Url>(project),
  countColumn(t.columns.answers, ({ citedIn }) => citedIn),
]

/** One domain: its cited pages, the brands in the answers that cite it, and these answers. */
export function Domain({ project, domain }: { project: Project; domain: string }) {
  const { window, filter, link } = useAddress()
  const variables = { project: project.id, domain, window, filter }
  const asked = { document: DomainDocument, variables }
  const from = { label: texts.title, href: link(pathOf(project.id, 'sources')) }
  return (
    <Answered query={useQuestion(DomainDocument, variables)}>
      {({ project: found }) => {
        const one = found?.sourceDomain
        if (!one) return <Heading title={texts.missing} from={from} />
        const { citationRate } = one.metrics
        return (
          <>
            <Heading
              title={one.domain}
              from={from}
              sub={
                <>
                  {t.sourceTypes[one.type]} ·{' '}
                  <Outside url={`https://${one.domain}`} name={texts.openPage} />
                </>
              }
            />
            <Figures>
              <Figure
                label={texts.cited}
                hint={texts.citedHint}
                unit="percent"
                metric={citationRate}
                words={texts.citedOf(citationRate.numerator, citationRate.denominator)}
              />
              <CountFigure
                label={t.columns.citations}
                value={shown(one.citationCount, 'count')}
                words={texts.citations(one.citationCount, one.pageCount)}
              />
              {one.type === 'brand' && <Authority found={found.domainAuthority} />}
            </Figures>
            <SimpleGrid cols={{ base: 1, lg: 2 }} mb="md">
              <Part
                title={texts.pages}
                asked={asked}
                columns={urlColumns(project.id)}
                rows={one.urls?.nodes ?? []}
                keyOf={({ url }) => url}
                whole={() =>
                  wholeList(
                    AllUrlsOfDomainDocument,
                    variables,
                    (all) => all.project?.sourceDomain?.urls,
                  )
                }
              />
              <Brands source={one.domain} standings={one.brands?.nodes} asked={asked} />
            </SimpleGrid>
            <Title order={2} mb="sm">
              {texts.answers}
            </Title>
            <AnswerReader project={project} filter={{ citedDomains: [one.domain] }} />
          </>
        )
      }}
    </Answered>
  )
}
