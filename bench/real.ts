import { registryType, sourceTypeOfPage } from '../core/sites/source-types.ts'
import { countCitations, type GivenCitation } from '../imports/answers/citations.ts'
import { namedAnswers, realAnswers, scoresOf } from '../test/real/named-answers.ts'
import { quantile, say } from './service.ts'
import { random } from './simulations/draws.ts'

/**
 * node bench/real.ts
 *
 * Names in real answers against the labels of `test/real/named-brands.json`, with a bootstrap over answers, and the
 * kinds of the sites that these answers cite.
 */
const draws = 2000
const named = namedAnswers()
for (const [at, half] of ['development', 'test'].entries()) {
  const answers = named.filter((_, index) => index % 2 === at)
  const { pairs, precision, recall, f1 } = scoresOf(answers)
  const drawn = Array.from({ length: draws }, () => {
    const some = answers.flatMap(() => answers[Math.floor(random() * answers.length)] ?? [])
    return scoresOf(some).f1
  }).sort((a, b) => a - b)
  const interval = [0.025, 0.975].map((share) => quantile(drawn, share).toFixed(3)).join(' to ')
  const scores = [precision, recall, f1].map((score) => score.toFixed(3)).join(', ')
  say(`${half}: ${answers.length} answers, ${pairs} pairs, ${scores} (${interval})`)
}

const citations = realAnswers.lines.flatMap((line) => {
  const { citations: given = [] } = JSON.parse(line) as { citations?: Partial<GivenCitation>[] }
  const named = given.map(({ url = '', title = '', position }, at) => {
    return { url, title, position: position ?? at + 1 }
  })
  return countCitations(named)
})
const percent = (kinds: readonly string[]) =>
  ((100 * kinds.filter((kind) => kind === 'other').length) / kinds.length).toFixed(1)
const pages = new Set(citations.map(({ url }) => url))
const twice = [...pages].filter((url) => pages.has(url.replace('://www.', '://')))
say(`${realAnswers.lines.length} answers: ${citations.length} citations of ${pages.size} pages`)
say(`other: ${percent(citations.map(({ url, domain }) => sourceTypeOfPage(url, domain)))} %`)
say(
  `other, by lists and endings: ${percent(citations.map(({ domain }) => registryType(domain)))} %`,
)
say(`pages with and without www: ${twice.filter((url) => url.includes('://www.')).length}`)
