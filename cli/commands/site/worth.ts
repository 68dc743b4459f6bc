import type { CheckWorth, Comparison } from '../../../core/checks/worth.ts'
import { difference, rounded } from '../../../core/metrics.ts'
import { counted } from '../../../core/text/counted.ts'
import type { CheckOfSite, SiteWorth } from '../../../resolvers/audits/checks.ts'
import { columns } from '../../text.ts'

const reasons: Record<NonNullable<Comparison['reason']>, string> = {
  site_check: 'judges the site',
  same_facts: 'reads the same facts',
  no_traffic_source: 'no traffic source',
  no_crawls: 'no crawls',
  no_citations: 'no citations',
  too_few_pages: 'too few pages',
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${value}`

/** `crawled 85.71 % of 7, 0 % of 5: +85.71 points (+28.63 to +97.43)`. */
function words(name: string, { passing, failing, interval, reason }: Comparison): string {
  if (reason !== null) return `${name}: ${reasons[reason]}`
  const [pass, fail] = [passing, failing].map((it) => `${rounded(it)} % of ${it.denominator}`)
  const points = signed(difference(passing, failing) ?? 0)
  const bounds = interval ? ` (${signed(interval.low)} to ${signed(interval.high)})` : ''
  return `${name} ${pass}, ${fail}: ${points} points${bounds}`
}

function shown({ passing, failing, interval, reason }: Comparison) {
  if (reason !== null) {
    return { passing: null, failing: null, difference: null, interval: null, reason }
  }
  const part = (it: Comparison['passing']) => {
    return { value: rounded(it), pages: it.denominator }
  }
  const points = difference(passing, failing)
  return { passing: part(passing), failing: part(failing), difference: points, interval, reason }
}

/** What checks are worth at a site, for the kinds of issues that a list has. */
export function describeWorth(
  found: readonly CheckOfSite[],
  { byId, dateRange }: SiteWorth,
): { json: object[]; text: string[] } {
  const known = found.flatMap(({ id, passingPages, failingPages }) => {
    const worth = byId.get(id)
    return worth === undefined ? [] : [{ id, passingPages, failingPages, ...worth }]
  })
  const isCompared = ({ crawled, cited }: CheckWorth) =>
    crawled.reason === null || cited.reason === null
  const others = known.filter((check) => !isCompared(check))
  const rows = known
    .filter(isCompared)
    .map(({ id, crawled, cited }) => [id, words('crawled', crawled), words('cited', cited)])
  const title = `Pages that pass a check, then pages that fail it, ${dateRange.from} to ${dateRange.to}:`
  const gaps = new Set(others.flatMap(({ crawled, cited }) => [crawled.reason, cited.reason]))
  const why = [...gaps].flatMap((reason) => (reason === null ? [] : [reasons[reason]]))
  return {
    json: known.map(({ crawled, cited, ...check }) => {
      return { ...check, crawled: shown(crawled), cited: shown(cited) }
    }),
    text: [
      ...(rows.length === 0 ? [] : ['', title, columns(rows, '')]),
      ...(why.length === 0
        ? []
        : ['', `Not compared: ${counted(others.length, 'check')} (${why.join(', ')}).`]),
    ],
  }
}
