import { Title } from '@mantine/core'
import { SourcePageDocument } from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { DomainLink, PageLink } from '../../parts/links.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { Brands } from './brands.tsx'

const { sources: texts } = t

/** One cited page: the brands in the answers that cite it, and these answers. */
export function SourcePage({ project, url }: { project: Project; url: string }) {
  const { window, filter, link } = useAddress()
  const variables = { project: project.id, url, window, filter }
  const asked = { document: SourcePageDocument, variables }
  const from = { label: texts.title, href: link(pathOf(project.id, 'sources')) }
  return (
    <Answered query={useQuestion(SourcePageDocument, variables)}>
      {({ project: found }) => {
        const one = found?.sourceUrl
        if (!one) return <Heading title={texts.missingPage} from={from} />
        const { citationRate } = one.metrics
        return (
          <>
            <Heading
              title={one.title || one.url}
              from={from}
              sub={
                <>
                  {t.contentTypes[one.contentType]} ·{' '}
                  <DomainLink project={project.id} domain={one.domain} /> ·{' '}
                  <Outside url={one.url} name={texts.openPage} />
                  {one.page && (
                    <>
                      {' · '}
                      <PageLink project={project.id} to={['ai-traffic', one.page.id]}>
                        {t.aiTraffic.funnel}
                      </PageLink>
                    </>
                  )}
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
            </Figures>
            <Brands source={one.url} standings={one.brands?.nodes} asked={asked} />
            <Title order={2} mb="sm">
              {texts.answers}
            </Title>
            <AnswerReader project={project} filter={{ citedUrls: [one.url] }} />
          </>
        )
      }}
    </Answered>
  )
}
