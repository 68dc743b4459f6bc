import { Link } from 'wouter'
import {
  AllUrlsOfDomainDocument,
  CitedDomainDocument,
  type CitedDomainQuery,
} from '../../documents.ts'
import { AnswerList } from '../../parts/answer/answer-list.tsx'
import { countColumn, intervalColumn, ratioColumn, textColumn } from '../../parts/columns.tsx'
import { Figure } from '../../parts/figures.tsx'
import { Outside } from '../../parts/outside.tsx'
import type { Project } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { wholeList } from '../../state/whole.ts'
import { t } from '../../texts/texts.ts'

type Domain = NonNullable<NonNullable<CitedDomainQuery['project']>['sourceDomain']>
type Url = NonNullable<Domain['urls']>['nodes'][number]
type Brand = NonNullable<Domain['brands']>['nodes'][number]

const urlColumns: readonly Column<Url>[] = [
  textColumn(
    t.cited.page,
    ({ url }) => url,
    ({ url, title }) => <Outside url={url} name={title || url} />,
  ),
  textColumn(t.columns.kind, ({ contentType }) => t.cited.contentTypes[contentType]),
  countColumn(t.columns.answers, ({ responsesWithUrl }) => responsesWithUrl),
]

const brandColumns: readonly Column<Brand>[] = [
  textColumn(t.columns.brand, ({ brand }) => brand?.name ?? ''),
  ratioColumn(
    t.columns.visibility,
    'percent',
    ({ visibility }) => visibility.metrics.visibilityScore,
  ),
  intervalColumn('percent', ({ visibility }) => visibility.metrics.visibilityScore),
  countColumn(t.columns.answers, ({ visibility }) => visibility.responsesWithMention),
]

/** One domain: its cited pages, the brands beside it, and the answers that cite it. */
export function CitedDomain({ project, domain }: { project: Project; domain: string }) {
  const { window, filter, state, link } = useAddress()
  const { after } = state
  const variables = {
    project: project.id,
    domain,
    window,
    filter,
    answers: filter,
    ...(after ? { after } : {}),
  }
  const asked = { document: CitedDomainDocument, variables }
  return (
    <>
      <p>
        <Link href={link(pathOf(project.id, 'cited'))}>{t.cited.back}</Link>
      </p>
      <Answered query={useQuestion(CitedDomainDocument, variables)}>
        {({ project: found }) => {
          const one = found?.sourceDomain
          if (!one) return <p className="state">{t.cited.missing}</p>
          const { usage } = one.metrics
          return (
            <>
              <h2 className="subject">{one.domain}</h2>
              <p className="lead">
                {t.sourceTypes[one.type]}, {t.cited.citations(one.totalCitations, one.pageCount)}
              </p>
              <ul className="tiles">
                <Figure
                  label={t.cited.usage}
                  unit="percent"
                  metric={usage}
                  words={t.cited.usageOf(usage.numerator, usage.denominator)}
                />
              </ul>
              <Part
                title={t.cited.pages}
                asked={asked}
                columns={urlColumns}
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
              <Part
                title={t.cited.brands}
                asked={asked}
                columns={brandColumns}
                rows={one.brands?.nodes ?? []}
                keyOf={({ brand }) => brand?.id ?? ''}
                isOwn={({ brand }) => brand?.isOwn ?? false}
              />
              <AnswerList
                title={t.cited.answers}
                project={project.id}
                here={pathOf(project.id, 'cited', domain)}
                found={one.answers}
              />
            </>
          )
        }}
      </Answered>
    </>
  )
}
