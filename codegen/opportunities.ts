import { type RuleId, ruleIds, rules } from '../core/opportunities/rules.ts'
import { easeOf } from '../core/opportunities/score.ts'

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

const eases = Object.entries(easeOf).map(([action, ease]) => `| \`${action}\` | ${ease} |`)

/** The text of the page. */
export function opportunitiesPage(): string {
  return `# Opportunities

An opportunity is a suggestion that a rule made of facts: answers, citations, crawls, searches and issues.

| to | do |
|---|---|
| list them | \`GET /api/mcp/projects/{projectId}/opportunities\`, also as CSV, or \`npx sightline opportunities list --project 8c1e…\` |
| see why | \`opportunities { opportunities { rule score evidence { label count page { url } prompt { text } } } }\` in GraphQL |
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

## Score and impact

The score is \`50 · min(1, log10(1 + n) / 3) + 30 · gap + 20 · ease\`, rounded to two decimals.

| actionType | ease |
|---|---|
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

- A change to the state that an opportunity has already changes nothing.
- The mutations need the scope \`write\`. The audit trail records each change.
- A rule and its subject always have the same id. \`createdAt\` never changes.
- \`updatedAt\` changes with title, description, impact or status.
`
}
