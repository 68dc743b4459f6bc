import { Link } from 'wouter'
import { AssistantsDocument } from '../documents.ts'
import { dayMs } from '../parts/days.ts'
import type { PageProps } from '../parts/page.ts'
import { Loading } from '../parts/states.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

const shownDays = 30

/** Says where the answers of a project are, when the window has none, and how the first ones come. */
export function NoData({ project }: PageProps) {
  const { set, link, window } = useAddress()
  const { data } = useQuestion(AssistantsDocument, { project: project.id, window })
  if (!data) return <Loading />
  const days = data.project?.dataAvailable
  if (!days) {
    return (
      <div className="state">
        <p>{t.standing.noneAtAll}</p>
        <ol>
          {Object.entries(t.standing.steps).map(([page, text]) => (
            <li key={page}>
              <Link href={link(pathOf(project.id, page))}>{text}</Link>
            </li>
          ))}
        </ol>
      </div>
    )
  }
  const first = Date.parse(days.to) - (shownDays - 1) * dayMs
  const from = new Date(Math.max(first, Date.parse(days.from))).toISOString().slice(0, 10)
  return (
    <div className="state">
      <p>{t.standing.noData}</p>
      <p className="lead">{t.standing.dataFrom(days.from, days.to)}</p>
      <button type="button" onClick={() => set({ from, to: days.to, assistant: undefined })}>
        {t.standing.showData}
      </button>
    </div>
  )
}
