import { Link } from 'wouter'
import type { OneAnswerFragment } from '../../documents.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { t } from '../../texts/texts.ts'
import { Paging } from '../paging.tsx'
import { OneAnswer } from './answer.tsx'

interface AnswerListProps {
  readonly title: string
  readonly project: string
  /** The path of the list. */
  readonly here: string
  readonly found: {
    readonly totalCount: number | null
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
    readonly nodes: readonly OneAnswerFragment[]
  } | null
}

/** Answers to any prompt; each leads to its prompt. */
export function AnswerList({ title, project, here, found }: AnswerListProps) {
  const { link } = useAddress()
  return (
    <>
      <section className="part">
        <h2>{title}</h2>
        <p className="lead">{t.asked.answers(found?.totalCount ?? 0)}</p>
      </section>
      {found?.nodes.map((answer) => (
        <OneAnswer
          key={answer.id}
          answer={answer}
          title={
            <Link href={link(pathOf(project, 'asked', answer.prompt.id))}>
              {answer.prompt.text}
            </Link>
          }
        />
      ))}
      <Paging here={here} {...(found && { pageInfo: found.pageInfo })} />
    </>
  )
}
