import { builder } from '../kit/builder.ts'
import { runVisibility } from './runs.ts'

export const optionArgs = builder.args((t) => ({
  timeZone: t.string({ description: 'IANA time zone of `cron`. Default: `UTC`.' }),
  spreadMinutes: t.field({
    type: 'Int',
    description: 'Minutes, 0 to 60, by which a run may start after its time. Default: 60.',
  }),
  enabled: t.boolean({ description: 'Whether the schedule starts runs. Default: true.' }),
  promptIds: t.idList({
    description: 'Ids of prompts. Default, without topics: all tracked, later ones too.',
  }),
  topicIds: t.idList({
    description: 'Ids of topics, whose tracked prompts are asked, also those that are added later.',
  }),
  keys: t.stringList({ description: 'Labels of provider keys. Default: all provider keys.' }),
  locationIds: t.idList({
    description: 'Ids of locations to ask from, each in turn. Default: no place.',
  }),
  language: t.string({
    description:
      "BCP 47 tag of the answers' language, such as `de`. Default: the assistant chooses.",
  }),
  repetitions: t.field({
    type: 'Int',
    description:
      'How often each prompt is asked at each provider and location, 1 to 20. Default: 1.',
  }),
  visibility: t.field({
    type: runVisibility,
    description: 'When reports show the answers of a run. Default: `whole`.',
  }),
}))

const cronText =
  'Minute, hour, day of the month, month and day of the week: `0 6 * * 1-5` is 6:00 on workdays.'

export const newArgs = builder.args((t) => ({
  name: t.string({ required: true, description: 'Name of the schedule, unique in its project.' }),
  cron: t.string({ required: true, description: cronText }),
}))
export const changedArgs = builder.args((t) => ({
  name: t.string({ description: 'Name of the schedule. Default: unchanged.' }),
  cron: t.string({ description: `${cronText} Default: unchanged.` }),
}))
export const scheduleId = builder.args((t) => ({
  scheduleId: t.id({ required: true, description: 'Id of the schedule.' }),
}))
