import { Link } from 'wouter'
import { AlertsDocument, type AlertsQuery } from '../documents.ts'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

interface Alert {
  /** The page that shows more. */
  readonly page: string
  readonly text: string
}

function alertsOf(found: NonNullable<AlertsQuery['project']>): Alert[] {
  const { trafficStatus: traffic, runs, schedules, promptsWithoutAnswers, visibility } = found
  const alerts: Alert[] = []
  if (traffic?.status === 'stale' && traffic.lastEventAt) {
    alerts.push({ page: 'read', text: t.alerts.stale(t.moment(traffic.lastEventAt)) })
  }
  const [run] = runs?.nodes ?? []
  const counts = run?.coverage ?? []
  const failed = counts.reduce((sum, each) => sum + each.failed, 0)
  const asked = counts.reduce((sum, each) => sum + each.asked, 0)
  if (run && (run.status === 'failed' || failed > 0)) {
    alerts.push({ page: 'collecting', text: t.alerts.run(t.moment(run.createdAt), failed, asked) })
  }
  const unanswered = promptsWithoutAnswers?.totalCount ?? 0
  // Without any answer the page says what comes first.
  if (unanswered > 0 && visibility?.summary.totalResponses) {
    alerts.push({ page: 'asked', text: t.alerts.unanswered(unanswered) })
  }
  for (const { name, fault } of schedules?.nodes ?? []) {
    if (fault) alerts.push({ page: 'collecting', text: t.alerts.schedule(name, fault) })
  }
  return alerts
}

/** What is wrong with the data behind the numbers; nothing while all is well. */
export function Alerts({ project }: { readonly project: string }) {
  const { link } = useAddress()
  const { data } = useQuestion(AlertsDocument, { project })
  const alerts = data?.project ? alertsOf(data.project) : []
  if (alerts.length === 0) return null
  return (
    <section className="part" aria-label={t.alerts.title}>
      <h2>{t.alerts.title}</h2>
      <ul>
        {alerts.map(({ page, text }) => (
          <li key={text}>
            <Link href={link(pathOf(project, page))}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
