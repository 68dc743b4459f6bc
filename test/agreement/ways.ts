import { importAnswers } from '../../imports/answers/answers.ts'
import type { AnswerLine, TestApi } from '../kit/api.ts'

/** Loads answers as a run does that has collected them. */
export const collected = (api: TestApi, projectId: string, lines: readonly AnswerLine[]) =>
  importAnswers(api, {
    projectId,
    isCollected: true,
    lines: lines.map((line) =>
      JSON.stringify({ prompt: 'best anvils?', platform: 'chatgpt', text: 'An answer.', ...line }),
    ),
  })
