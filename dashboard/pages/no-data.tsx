import type { PageProps } from '../parts/page.ts'
import { useAddress } from '../state/address.ts'
import { t } from '../texts/texts.ts'

const shownDays = 30
const dayMs = 24 * 60 * 60 * 1000

/** Says where the answers of a project are, when the window has none. */
export function NoData({ project }: PageProps) {
  const { set } = useAddress()
  const { dataAvailable: days } = project
  if (!days) {
    return (
      <div className="state">
        <p>{t.standing.noneAtAll}</p>
        <p className="lead">{t.standing.importHint}</p>
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
