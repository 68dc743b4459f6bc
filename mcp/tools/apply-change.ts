import { z } from 'zod'
import {
  ApplyChangeDocument,
  OnePlannedChangeDocument,
  type PlannedFragment,
  RefuseChangeDocument,
} from '../documents.ts'
import { plannedOf, questionOf, readPlanId } from '../planned.ts'
import { Refused } from '../run.ts'
import { plainTexts } from '../untrusted.ts'
import { type ToolContext, tool } from './tool.ts'

type Place = { readonly project: string; readonly id: string }

const refused = () =>
  new Refused('change_over', 'The person has refused the change.', 'Do not plan it again unasked.')

/** What came of asking the person: whether they have approved it in the client, or the question. */
async function confirmation(
  { plan, place, planned }: { plan: string; place: Place; planned: PlannedFragment },
  { ask, person }: ToolContext,
) {
  if (planned.status !== 'waiting') return { isConfirmed: false }
  if (!person.canAsk) return { isConfirmed: false }
  const answer = await person.answerTo(plan)
  if (answer === undefined) return { question: await person.question(plan, questionOf(planned)) }
  if (answer === 'approved') return { isConfirmed: true }
  if (answer === 'refused') {
    plannedOf((await ask(RefuseChangeDocument, place)).planned)
    throw refused()
  }
  throw new Refused(
    'change_not_approved',
    'The person has not decided.',
    `Ask them, or: ${planned.link}`,
  )
}

export const applyChange = tool({
  name: 'apply_change',
  title: 'Apply a planned change',
  description:
    'Does exactly what a plan said, once a person has approved it. The same call again returns the same result.',
  input: z.strictObject({ plan: z.string().min(1).max(100) }),
  isWrite: true,
  async run({ plan }, context) {
    const { ask } = context
    const place = readPlanId(plan)
    const { project } = await ask(OnePlannedChangeDocument, place)
    const planned = project?.plannedChange
    if (!planned) throw new Refused('not_found', 'There is no such plan.', 'Plan the change first.')
    const asked = await confirmation({ plan, place, planned }, context)
    if (asked.question) return asked.question
    const { isConfirmed = false } = asked
    const applied = await ask(ApplyChangeDocument, { ...place, isConfirmed })
    const done = plannedOf(withLink(applied.planned, planned.link))
    const { summary, lines, result, status } = done
    return plainTexts({ status, summary, changes: lines, result })
  },
})

/** The refusal of a change that nobody has approved says where a person does it. */
function withLink<Answer extends object>(answer: Answer | null | undefined, link: string) {
  if (!answer || !('code' in answer) || answer.code !== 'change_not_approved') return answer
  const howToFix = `Give the person this link, and call again once they have approved it there: ${link}`
  return { ...answer, howToFix }
}
