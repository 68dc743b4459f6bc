import type { ReactNode } from 'react'
import type { OneAnswerFragment } from '../../documents.ts'
import { t } from '../../texts/texts.ts'
import { type Mark, type Piece, piecesIn } from './marks.ts'

/** What the parts of an answer's text are written with. */
export interface Marked {
  readonly answer: OneAnswerFragment
  readonly marks: readonly Mark[]
}

/** The id of a source in the list below its answer. */
export const sourceId = (answer: string, position: number) => `source-${answer}-${position}`

/** A link to a source in the list below the answer. */
export function Cites({
  answer,
  position,
  children,
}: {
  readonly answer: OneAnswerFragment
  readonly position: number
  readonly children: ReactNode
}) {
  return (
    <a className="cites" href={`#${sourceId(answer.id, position)}`}>
      {children}
    </a>
  )
}

function One({
  piece,
  answer,
  inLink,
}: { piece: Piece; inLink: boolean } & Pick<Marked, 'answer'>) {
  const { text, mention, position } = piece
  if (mention) {
    const { brand, rank, sentiment } = mention
    return (
      <mark
        className={`${brand.isOwn ? 'own ' : ''}${sentiment ?? ''}`}
        title={t.answers.mention(brand.name, rank, sentiment)}
      >
        {text}
      </mark>
    )
  }
  if (position === undefined || inLink) return text
  return (
    <Cites answer={answer} position={position}>
      {text}
    </Cites>
  )
}

interface PiecesProps extends Marked {
  readonly from: number
  readonly to: number
  /** No link may be within a link. */
  readonly inLink?: boolean
}

/** A part of the text, with its brands and sources marked. */
export function Pieces({ answer, marks, from, to, inLink = false }: PiecesProps) {
  return piecesIn(answer.text, marks, from, to).map((piece) => (
    <One key={piece.start} piece={piece} answer={answer} inLink={inLink} />
  ))
}
