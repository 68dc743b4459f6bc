import { completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { projectNames } from './resources.ts'
import type { Ask } from './run.ts'

/** A question that people ask often, with its words for the model. */
interface Question {
  readonly title: string
  readonly description: string
  /** Its arguments, beside the project. */
  readonly args?: Readonly<Record<string, z.ZodType<string>>>
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const prompts: Readonly<Record<string, Question>> = {
  weekly_review: {
    title: 'Weekly review',
    description: 'What changed for a brand this week, and what to do next.',
    text: (of) =>
      `Review the last 7 days of "${of.project}" in Sightline. Get the reports overview (days: 7, compare: previous_period), competitors and opportunities. For each metric that changed significantly, call explain_change. Write at most 12 lines: what changed and why, with intervals and numbers of answers, what is within normal variation, and three things to do. End with the links.`,
  },
  why_did_it_change: {
    title: 'Why did it change?',
    description: 'The causes of a change of one metric.',
    args: { metric: z.enum(['visibility', 'share_of_voice', 'sentiment', 'citations']) },
    text: (of) =>
      `Why did ${of.metric} of "${of.project}" change in Sightline? Call explain_change for 30 days. Say first whether the change is significant. Then name the parts that made it, by platform, topic, prompt and location, with their contributions, and show one or two answers as evidence.`,
  },
  prompts_we_lose: {
    title: 'Prompts that we lose',
    description: 'Prompts where a competitor is mentioned more often.',
    text: (of) =>
      `Which prompts does "${of.project}" lose in Sightline, and to whom? Get the report prompts (sort: gap_asc, limit: 20). Group them by competitor. For the three with the largest gap get the report answers with their prompt_id, and say which sources and arguments those answers use. Prompts with fewer than ten answers prove little: say so.`,
  },
}

/** The questions that a client can offer. */
export function registerPrompts(server: McpServer, ask: Ask): void {
  const project = completable(
    z.string().max(200).describe('Id, name or domain of a project.'),
    (part) => projectNames(ask, part),
  )
  for (const [name, { title, description, args, text }] of Object.entries(prompts)) {
    const argsSchema = z.object({ project, ...args })
    server.registerPrompt(name, { title, description, argsSchema }, (given) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(given) } }],
    }))
  }
}
