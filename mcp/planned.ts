import type { PlannedFragment, RefusalFragment } from './documents.ts'
import { Refused, wrongArgument } from './run.ts'
import { plain, plainTexts } from './untrusted.ts'

/** The id of a plan for clients: the project and the change in 43 characters, which a model can copy. */
const planIdOf = (project: string, change: string): string =>
  Buffer.from(`${project}${change}`.replaceAll('-', ''), 'hex').toString('base64url')

const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** @throws {Refused} for a text that is no id of a plan */
export function readPlanId(plan: string): { readonly project: string; readonly id: string } {
  const hex = Buffer.from(plan, 'base64url').toString('hex')
  if (!/^[\w-]{43}$/.test(plan) || hex.length !== 64) {
    throw wrongArgument('`plan` is not one of plan_change.', 'Plan the change first.')
  }
  return { project: uuidOf(hex.slice(0, 32)), id: uuidOf(hex.slice(32)) }
}

type Answer =
  | ({ readonly __typename: 'PlannedChange' } & PlannedFragment)
  | ({ readonly __typename: string } & RefusalFragment)

const isPlanned = (answer: Answer): answer is Extract<Answer, PlannedFragment> => 'lines' in answer

/** Clients never get it by signing in. */
const ownersOnly =
  'A connected AI client never has `admin`. Ask the person to make this change in the dashboard.'

/** What the client can do. Advice of the graph names members of its problems, which a model does not see. */
function adviceOf(grant: string | undefined, howToFix: string | null | undefined) {
  if (grant === 'admin') return ownersOnly
  if (grant !== undefined) return `Use a key that has \`${grant}\`.`
  return howToFix?.includes('`fields`') ? undefined : (howToFix ?? undefined)
}

/**
 * The planned change that a mutation answered with.
 * @throws {Refused} for its problem; with the right that is missing, so that the client can ask for it
 */
export function plannedOf(answer: Answer | null | undefined): PlannedFragment {
  if (answer && isPlanned(answer)) return answer
  const {
    code = 'internal_error',
    message = '',
    howToFix,
    ...right
  } = (answer ?? {}) as Partial<Extract<Answer, RefusalFragment>>
  const { missingScope, missingCapability } = right as {
    missingScope?: string | null
    missingCapability?: string | null
  }
  const grant = missingScope ?? missingCapability?.replace('_', ':')
  return refuse(new Refused(code, message, adviceOf(grant, howToFix)), grant)
}

function refuse(refused: Refused, grant: string | undefined): never {
  if (grant !== undefined) refused.grant = grant
  throw refused
}

/** What a model shows a person. Texts in it may be of others. */
export function shownPlan(planned: PlannedFragment) {
  const { projectId, id, action, status, summary, lines, notes, costUsd, allowance } = planned
  return plainTexts({
    plan: planIdOf(projectId, id),
    action,
    status,
    summary,
    changes: lines,
    ...(notes.length > 0 && { notes }),
    ...(costUsd != null && { cost_usd: costUsd }),
    ...(allowance && { allowance }),
    expires_at: planned.expiresAt,
    approve_at: planned.link,
  })
}

const mostLines = 10
const longestLine = 300

/** A text on one line: it must not look like a further line of ours. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line
}

/** What the client asks the person: made of what the change does, and of no word of the model. */
export function questionOf({ summary, lines, notes, costUsd, link }: PlannedFragment): string {
  const shown = lines.slice(0, mostLines).map(({ label, before, after }) => {
    const was = before == null || before === after ? '' : `${cut(before)} → `
    return `${label}: ${was}${cut(after ?? '–')}`
  })
  const more = lines.length - shown.length
  const parts = [
    cut(summary),
    ...shown,
    ...(more > 0 ? [`And ${more} more: ${link}`] : []),
    ...(costUsd == null ? [] : [`Expected cost: $${costUsd.toFixed(2)}`]),
    ...notes,
  ]
  return parts.map(plain).join('\n')
}
