import { shown } from '../../../web/share/numbers.ts'
import type { AuthorityFragment } from '../../documents.ts'
import { CountFigure } from '../../parts/figures.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { t } from '../../texts/texts.ts'

const { sources: texts } = t

/** Authority of the own domain over a year; nothing where no tool measured it. */
export function Authority({ found }: { readonly found: AuthorityFragment | null | undefined }) {
  const { latest, history = [] } = found ?? {}
  if (!latest) return null
  return (
    <CountFigure
      label={texts.authority}
      value={shown(latest.score, 'score')}
      words={texts.authorityOf(t.day(latest.date), latest.backlinks, latest.referringDomains)}
      hint={texts.authorityHint}
    >
      {history.length > 1 && (
        <Sparkline
          values={history.map(({ score }) => score)}
          label={texts.authority}
          unit="score"
        />
      )}
    </CountFigure>
  )
}
