import { effectMetrics, effortOf, levelBounds } from '../core/opportunities/effect.ts'
import { type RuleId, ruleIds, rules } from '../core/opportunities/rules.ts'
import { type ActionType, easeOf } from '../core/opportunities/score.ts'
import { graphWord } from '../schema/kit/words.ts'

/** `docs/opportunities.md`, from the table of rules. */

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ')

function categoryOf(id: RuleId): string {
  const rule = rules[id]
  return 'category' in rule ? code([rule.category]) : 'that of the issue'
}

function row(id: RuleId): string {
  const { source, scopes, actions, holds, counts, gap } = rules[id]
  const cells = [
    `<a id="${id}"></a>\`${id}\``,
    code([source]),
    categoryOf(id),
    code(scopes),
    code(actions),
    holds,
    counts,
    gap,
  ]
  return `| ${cells.join(' | ')} |`
}

const eases = Object.entries(easeOf).map(
  ([action, ease]) => `| \`${action}\` | ${ease} | ${effortOf(action as ActionType)} |`,
)
const effects = Object.entries(effectMetrics).map(
  ([metric, meaning]) => `| \`${graphWord(metric)}\` | ${meaning} |`,
)

/** The text of the page. */
export function opportunitiesPage(): string {
  return `# Opportunities

An opportunity is a suggestion that a rule made of facts: answers, citations, crawls, searches and issues.

| to | do |
|---|---|
| list them | \`GET /api/mcp/projects/{projectId}/opportunities\`, also as CSV, or \`npx sightline opportunities list --project 8c1e…\` |
| see why | \`opportunities { opportunities { rule score effort effect { text reason } } }\` in GraphQL |
| give one to a member | the mutation \`assignOpportunity\` |
| say that one is done | the mutation \`completeOpportunity\` |
| hide one | the mutation \`dismissOpportunity\`, with a reason |

The list shows active opportunities, unless \`status\` or \`includeResolved=true\` asks for others.
Each entry of \`evidence\` is a count with what it counts: a page, prompt, topic, competitor or issue.

## When the rules run

- Each night, between 0:00 and 6:00 UTC. A project always has the same turn.
- 60 seconds after an import or an audit ends.
- On the mutation \`refreshOpportunities\`, or \`npx sightline opportunities refresh --project ID\`.

A worker evaluates the rules: \`npm start\` includes one.
The window is the last 30 complete UTC days, and "before" means the 30 days before.
A rule keeps at most 50 active opportunities, those with the highest scores.
Pitch projects have no opportunities.

## Rules

Own pages are pages of the brand's own domains. Intervals are Wilson's 95 % intervals of a share.

| rule | source | category | scope | actionType | holds when | n | gap |
|---|---|---|---|---|---|---|---|
${ruleIds.map(row).join('\n')}

Sub-queries and searches ask nearly the same when the words that say what they are about are the same, or when one adds no more words than the other has, which are two or more. Words such as "best", "review", "reddit" and years say how to search, not what for. So "best headsets for calls 2026" and "headsets for calls reddit" are one opportunity.

## Expected effect

GraphQL has the expected \`effect\` of each opportunity: what it can change, at most, by facts of the same 30 days.

| metric | value |
|---|---|
${effects.join('\n')}

An example: of 1,124 answers, 16 searched for something that no own page answers, and 12 of them do not mention the brand.
A page can win 12 answers, up to +1.1 points of visibility.

- \`answers\` are the answers of the 30 days that can change, and \`share\` is their percent of all answers. The list of GraphQL and of the dashboard begins with the most answers, and with the least effort where they are equal.
- A page that crawlers read and no answer cites can win as many answers as the median cited own page has.
- Issues win points of the site score, and are ranked by the answers that cite the pages.
- For searches of people, the number of answers is unknown: they come last.
- \`level\` is \`high\` from ${levelBounds.high} % of all answers, \`medium\` from ${levelBounds.medium} %, else \`low\`.

## What came of it

\`outcome\` compares the 30 days before an opportunity was done or resolved with up to 30 days after: the visibility of its prompt, topic or platform, the share of answers that cite its page, or the share of negative answers.
It has the 95 % interval of the change, over prompts where there are 5 prompts and 30 answers, else over answers. A change whose interval holds 0 is within normal variation.

An opportunity that is done is a mark, too: [Did it work?](did-it-work.md) compares its prompts with the others.

## Score and impact

REST lists opportunities by impact, which the score decides.

The score is \`50 · min(1, log10(1 + n) / 3) + 30 · gap + 20 · ease\`, rounded to two decimals.

| actionType | ease | effort |
|---|---|---|
${eases.join('\n')}

An example: 40 answers do not name the brand, and 24 of them name a competitor.
The rule \`prompt-gap\` gives 50 · 0.5376 + 30 · 0.6 + 20 · 0.4 = 52.88.

| impact | score |
|---|---|
| \`critical\` | 70 or more |
| \`high\` | 50 to below 70 |
| \`medium\` | 30 to below 50 |
| \`low\` | below 30 |

## States

| from | to | when |
|---|---|---|
| none | \`active\` | A rule holds for the first time. |
| \`active\` | \`auto_resolved\` | Two evaluations at least 20 hours apart, and all between them, find that the rule no longer holds. |
| \`auto_resolved\` | \`active\` | The rule holds again. |
| \`active\` | \`completed\` | \`completeOpportunity\`. |
| \`completed\` | \`active\` | The rule holds over a window that began after the completion. |
| \`active\` | \`dismissed\` | \`dismissOpportunity\`, with a reason. |
| \`dismissed\` | \`active\` | The impact is higher than at the dismissal. |
| any | \`active\` | \`reopenOpportunity\`. |

What only rules of an earlier version found is \`auto_resolved\` at the first evaluation after the upgrade.

- A change to the state that an opportunity has already changes nothing.
- The mutations need the scope \`write\`. The audit trail records each change.
- A rule and its subject always have the same id. \`createdAt\` never changes.
- \`updatedAt\` changes with title, description, impact or status.
`
}
