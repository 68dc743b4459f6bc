import { type ReactNode, useMemo, useState } from 'react'
import type { OneAnswerFragment } from '../../documents.ts'
import { t } from '../../texts/texts.ts'
import { Outside } from '../outside.tsx'
import { marksOf } from './marks.ts'
import { Pieces, sourceId } from './pieces.tsx'
import { Prose } from './prose.tsx'

/** Characters that are shown at first. Each press shows four times as many. */
const firstCharacters = 20_000
const growth = 4

/** The end of the last whole paragraph, or line, within a number of characters. */
function endWithin(text: string, characters: number): number {
  if (text.length <= characters) return text.length
  const ends = ['\n\n', '\n'].map((gap) => text.lastIndexOf(gap, characters))
  return ends.find((end) => end > 0) ?? characters
}

/** The text of an answer as people read it, or as the assistant wrote it, with its brands and sources marked. */
function Words({ answer, asSource }: { answer: OneAnswerFragment; asSource: boolean }) {
  const [limit, setLimit] = useState(firstCharacters)
  const marks = useMemo(() => marksOf(answer), [answer])
  const { length } = answer.text
  const end = endWithin(answer.text, limit)
  if (asSource) {
    return (
      <p className="answer-text source">
        <Pieces answer={answer} marks={marks} from={0} to={length} />
      </p>
    )
  }
  return (
    <div className="answer-text">
      <Prose answer={answer} marks={marks} end={end} />
      {end < length && (
        <button type="button" onClick={() => setLimit(limit * growth)}>
          {t.asked.more(end, length)}
        </button>
      )}
    </div>
  )
}

/** An answer as the assistant gave it; `title` where the page does not name the prompt. */
export function OneAnswer({ answer, title }: { answer: OneAnswerFragment; title?: ReactNode }) {
  const { platform, model, collectedAt, mentions, citations } = answer
  const [asSource, setAsSource] = useState(false)
  return (
    <article className="part">
      <header>
        <h2>{platform.displayName}</h2>
        <p className="tools">
          <span className="when">{t.asked.from(model, collectedAt)}</span>
          <button type="button" aria-pressed={asSource} onClick={() => setAsSource(!asSource)}>
            {t.asked.source}
          </button>
        </p>
      </header>
      {title && <p className="words">{title}</p>}
      <Words answer={answer} asSource={asSource} />
      <h3>{t.asked.named}</h3>
      {mentions.length === 0 && <p className="lead">{t.asked.nobody}</p>}
      <ul>
        {mentions.map(({ brand, rank, sentiment }) => (
          <li key={brand.id} className={brand.isOwn ? 'own' : ''}>
            {t.asked.mention(brand.name, rank, sentiment)}
          </li>
        ))}
      </ul>
      <h3>{t.asked.cited}</h3>
      {citations.length === 0 && <p className="lead">{t.asked.nothing}</p>}
      <ol>
        {citations.map((citation) => (
          <li key={citation.position} id={sourceId(answer.id, citation.position)}>
            <Outside
              url={citation.url}
              {...(citation.title && { name: `${citation.title} (${citation.domain})` })}
            />
          </li>
        ))}
      </ol>
    </article>
  )
}
