import { Link } from 'wouter'
import { PromptAnswersDocument } from '../documents.ts'
import { OneAnswer } from '../parts/answer/answer.tsx'
import type { Project } from '../parts/page.ts'
import { Paging } from '../parts/paging.tsx'
import { Answered } from '../parts/states.tsx'
import { pathOf, useAddress } from '../state/address.ts'
import { graphiqlAddress, useQuestion } from '../state/ask.ts'
import { t } from '../texts/texts.ts'

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
                <OneAnswer key={answer.id} answer={answer} />
              ))}
              <Paging here={here} {...(answers && { pageInfo: answers.pageInfo })} />
            </>
          )
        }}
      </Answered>
    </>
  )
}
