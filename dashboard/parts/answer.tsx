import type { ReactNode } from 'react'
import type { OneAnswerFragment } from '../documents.ts'
import { t } from '../texts/texts.ts'
import { Outside } from './outside.tsx'

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The text of an answer, with the names of its brands marked. */
function Marked({ text, mentions }: OneAnswerFragment) {
  const own = new Map(mentions.map(({ name, isOwn }) => [name.toLowerCase(), isOwn]))
  const names = mentions.map(({ name }) => escaped(name)).sort((a, b) => b.length - a.length)
  if (names.length === 0) return <p className="answer-text">{text}</p>
  let at = 0
  const parts = text.split(new RegExp(`(${names.join('|')})`, 'giu')).map((part) => {
    const place = at
    at += part.length
    return { part, place, isOwn: own.get(part.toLowerCase()) }
  })
  return (
    <p className="answer-text">
      {parts.map(({ part, place, isOwn }) =>
        isOwn === undefined ? (
          part
        ) : (
          <mark key={place} className={isOwn ? 'own' : ''}>
            {part}
          </mark>
        ),
      )}
    </p>
  )
}

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
      <Marked {...answer} />
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
          <li key={citation.position}>
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
