import type { ReactNode } from 'react'
import type { OneAnswerFragment } from '../documents.ts'
import { t } from '../texts/texts.ts'
import { piecesOf } from './marks.ts'
import { Outside } from './outside.tsx'

/** The text of an answer, with its brands and sources marked. */
function Marked({ answer }: { readonly answer: OneAnswerFragment }) {
  return (
    <p className="answer-text">
      {piecesOf(answer).map(({ start, text, mention, position }) => {
        if (mention) {
          const { name, rank, sentiment, isOwn } = mention
          return (
            <mark
              key={start}
              className={`${isOwn ? 'own ' : ''}${sentiment ?? ''}`}
              title={t.asked.mention(name, rank, sentiment)}
            >
              {text}
            </mark>
          )
        }
        if (position === undefined) return text
        return (
          <a key={start} className="cites" href={`#${sourceId(answer.id, position)}`}>
            {text}
          </a>
        )
      })}
    </p>
  )
}

const sourceId = (answer: string, position: number) => `source-${answer}-${position}`

/** An answer as the assistant gave it; `title` where the page does not name the prompt. */
export function OneAnswer({ answer, title }: { answer: OneAnswerFragment; title?: ReactNode }) {
  const { aiPlatform, model, collectedAt, mentions, citations } = answer
  return (
    <article className="part">
      <header>
        <h2>{aiPlatform.displayName}</h2>
        <p className="lead">{t.asked.from(model, collectedAt)}</p>
      </header>
      {title && <p className="words">{title}</p>}
      <Marked answer={answer} />
      <h3>{t.asked.named}</h3>
      {mentions.length === 0 && <p className="lead">{t.asked.nobody}</p>}
      <ul>
        {mentions.map(({ brandId, name, rank, sentiment, isOwn }) => (
          <li key={brandId} className={isOwn ? 'own' : ''}>
            {t.asked.mention(name, rank, sentiment)}
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
