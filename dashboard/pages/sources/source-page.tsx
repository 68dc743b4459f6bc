import { Anchor, Title } from '@mantine/core'
import { Link } from 'wouter'
import { SourcePageDocument } from '../../documents.ts'
import { AnswerReader } from '../../parts/answer/reader.tsx'
import { Chart } from '../../parts/chart.tsx'
import { pointOf } from '../../parts/days.ts'
import { Figure, Figures } from '../../parts/figures.tsx'
import { Heading } from '../../parts/heading.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { brandBars } from './brand-bars.ts'

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
        const { usage } = one.metrics
        const bars = brandBars(one.brands?.nodes ?? [])
        return (
          <>
            <Heading
              title={one.title || one.url}
              from={from}
              sub={
                <>
                  {t.contentTypes[one.contentType]} ·{' '}
                  <Anchor
                    component={Link}
                    href={link(pathOf(project.id, 'sources', one.domain))}
                    inherit
                  >
                    {one.domain}
                  </Anchor>{' '}
                  · <Outside url={one.url} name={texts.openPage} />
                  {one.page && (
                    <>
                      {' · '}
                      <Anchor
                        component={Link}
                        href={link(pathOf(project.id, 'ai-traffic', one.page.id))}
                        inherit
                      >
                        {t.aiTraffic.funnel}
                      </Anchor>
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
                metric={usage}
                words={texts.citedOf(usage.numerator, usage.denominator)}
              />
            </Figures>
            <Panel title={texts.brands} asked={asked}>
              <Chart
                own={bars.own}
                chart={{
                  title: texts.brands,
                  section: one.url,
                  kind: 'bars',
                  unit: 'percent',
                  points: bars.rows.map(({ name, metric }) => pointOf(name, metric)),
                }}
              />
            </Panel>
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
