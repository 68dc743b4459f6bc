import { excerptOf, plainText } from '../../core/text/excerpt.ts'
import { factHits, type Hit, type Search } from '../shared/search.ts'
import { answerHits } from './search.sql.ts'
import { hitOf } from './snippets.ts'

const snippetLength = 300

interface Row {
  readonly answerId: string
  readonly promptId: string
  readonly text: string
}

/** Answers by text, with the place of the terms. */
export async function searchAnswers(search: Search): Promise<Hit[]> {
  const rows = await factHits<Row>(search, 'answers', answerHits)
  return rows.map(({ answerId, promptId, text: markdown }) => {
    const text = plainText(markdown)
    const snippet = excerptOf(text, hitOf(text, search.query), snippetLength)
    return { key: answerId, title: '', promptId, snippet }
  })
}
