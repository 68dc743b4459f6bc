import { z } from 'zod'
import { plannedActions } from '../../core/planned-changes.ts'
import { PlanChangeDocument } from '../documents.ts'
import { plannedOf, shownPlan } from '../planned.ts'
import { projectIdOf } from '../scope.ts'
import { project } from './schemas.ts'
import { tool } from './tool.ts'

export const planChange = tool({
  name: 'plan_change',
  title: 'Plan a change',
  description:
    'Says what a change would do, without doing it: values before and after, allowance, cost. Show it to the user, who approves it at `approve_at`, or when apply_change asks. Valid for 10 minutes.',
  input: z.strictObject({
    project,
    action: z.enum(plannedActions),
    input: z
      .looseObject({})
      .describe(
        'As add_prompts {prompts:[{text}]}, update_prompt {promptId,text}. An error names what an action takes.',
      ),
  }),
  async run({ project: named, action, input }, { ask }) {
    const id = await projectIdOf(ask, named)
    const { planned } = await ask(PlanChangeDocument, { project: id, action, input })
    return shownPlan(plannedOf(planned))
  },
})
