import { Link } from 'wouter'
import { PromptAnswersDocument, type PromptAnswersQuery } from '../documents.ts'
import type { Project } from '../parts/page.ts'
import { Answered } from '../parts/states.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { graphiqlAddress, useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

type Prompt = NonNullable<NonNullable<PromptAnswersQuery['project']>['prompt']>
type Answer = NonNullable<Prompt['answers']>['nodes'][number]

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The text of an answer, with the names of its brands marked. */
function Marked({ text, mentions }: Answer) {
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

/** An address as a link only if a browser may open it: any other scheme stays text. */
function Source({ url, title, domain }: Answer['citations'][number]) {
  const name = title ? `${title} (${domain})` : url
  if (!/^https?:\/\//i.test(url)) return name
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  )
}

function OneAnswer(answer: Answer) {
  const { aiPlatform, model, collectedAt, mentions, citations } = answer
  return (
    <article className="part">
      <header>
        <h2>{aiPlatform.displayName}</h2>
        <p className="lead">{t.asked.from(model, collectedAt)}</p>
      </header>
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
            <Source {...citation} />
          </li>
        ))}
      </ol>
    </article>
  )
}

/** One prompt: its wordings, and its answers as the assistants gave them. */
export function PromptAnswers({ project, prompt }: { project: Project; prompt: string }) {
  const { window, filter, state, link } = useAddress()
  const { after } = state
  const variables = { project: project.id, prompt, window, filter, ...(after ? { after } : {}) }
  const here = pathOf(project.id, 'asked', prompt)
  return (
    <>
      <p>
        <Link href={link(pathOf(project.id, 'asked'))}>{t.asked.back}</Link>
      </p>
      <Answered query={useQuestion(PromptAnswersDocument, variables)}>
        {({ project: found }) => {
          const asked = found?.prompt
          if (!asked) return <p className="state">{t.asked.missing}</p>
          const { answers, revisions, text } = asked
          const more = answers?.pageInfo.hasNextPage && answers.pageInfo.endCursor
          return (
            <>
              <section className="part">
                <header>
                  <h2>{text}</h2>
                  <p className="tools">
                    <a href={graphiqlAddress(PromptAnswersDocument, variables)}>
                      {t.tools.graphiql}
                    </a>
                  </p>
                </header>
                <p className="lead">{t.asked.answers(answers?.totalCount ?? 0)}</p>
                {(revisions?.nodes.length ?? 0) > 1 && (
                  <>
                    <h3>{t.asked.wordings}</h3>
                    <ol>
                      {revisions?.nodes.map((each) => (
                        <li key={each.revision} value={each.revision}>
                          {t.asked.wording(each.text, each.createdAt)}
                        </li>
                      ))}
                    </ol>
                  </>
                )}
              </section>
              {answers?.nodes.map((answer) => (
                <OneAnswer key={answer.id} {...answer} />
              ))}
              <p className="pages">
                {after && <Link href={link(here)}>{t.tools.first}</Link>}
                {more && <Link href={link(here, { after: more })}>{t.tools.next}</Link>}
              </p>
            </>
          )
        }}
      </Answered>
    </>
  )
}
