import { Link } from 'wouter'
import { count } from '../../../web/share/numbers.ts'
import {
  CompleteOpportunityDocument,
  DismissOpportunityDocument,
  type OneOpportunityFragment,
  type OpportunityStatus,
  ReopenOpportunityDocument,
  type WorkQuery,
} from '../../documents.ts'
import { Act, ReasonAct } from '../../parts/act.tsx'
import { Outside } from '../../parts/outside.tsx'
import { pathOf, useAddress } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'
import { Items } from './items.tsx'
import { StatePicker } from './state-picker.tsx'

function Evidence({
  project,
  opportunity,
}: {
  project: string
  opportunity: OneOpportunityFragment
}) {
  const { link } = useAddress()
  return (
    <ul>
      {opportunity.evidence.map((each) => {
        const prompt = 'prompt' in each ? each.prompt : null
        const url = 'url' in each ? each.url : null
        const query = 'query' in each ? each.query : null
        const domain = 'domain' in each ? each.domain : null
        return (
          <li key={[each.label, url, query, domain, prompt?.id].join()}>
            {each.label}: {count(each.count)} {query && `\u201c${query}\u201d `}
            {prompt && <Link href={link(pathOf(project, 'asked', prompt.id))}>{prompt.text}</Link>}
            {url && <Outside url={url} />}
            {domain && <Link href={link(pathOf(project, 'cited', domain))}>{domain}</Link>}
          </li>
        )
      })}
    </ul>
  )
}

function One({ project, opportunity }: { project: string; opportunity: OneOpportunityFragment }) {
  const { id, title, description, impact, status, score, dismissedReason } = opportunity
  const variables = { project, id }
  return (
    <details className="item">
      <summary>
        <span className={`badge ${impact}`}>{t.work.severities[impact]}</span> {title}
      </summary>
      <p>{description}</p>
      <Evidence project={project} opportunity={opportunity} />
      <p className="lead">
        {t.work.score(score)} {dismissedReason && t.work.dismissed(dismissedReason)}
      </p>
      <div className="acts">
        {status === 'active' ? (
          <>
            <Act
              label={t.work.complete}
              of={title}
              document={CompleteOpportunityDocument}
              variables={variables}
            />
            <ReasonAct
              label={t.work.dismiss}
              of={title}
              document={DismissOpportunityDocument}
              variables={variables}
            />
          </>
        ) : (
          <Act
            label={t.work.reopen}
            of={title}
            document={ReopenOpportunityDocument}
            variables={variables}
          />
        )}
      </div>
    </details>
  )
}

interface OpportunitiesProps {
  readonly project: string
  readonly found: NonNullable<WorkQuery['project']>['opportunities']
  readonly state: OpportunityStatus
}

export function Opportunities({ project, found, state }: OpportunitiesProps) {
  const all = found?.nodes ?? []
  return (
    <section className="part">
      <header>
        <h2>{t.work.opportunities}</h2>
        <StatePicker
          label={t.work.opportunitiesShown}
          name="opportunities"
          states={t.work.opportunityStates}
          value={state}
        />
      </header>
      <p className="lead">
        {all.length === 0
          ? t.work.noOpportunities
          : t.work.opportunitiesLead(all.length, found?.totalCount ?? all.length)}
      </p>
      <Items title={t.work.opportunities}>
        {all.map((opportunity) => (
          <One key={opportunity.id} project={project} opportunity={opportunity} />
        ))}
      </Items>
    </section>
  )
}
