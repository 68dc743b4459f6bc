import { z } from 'zod'
import { cronFlaw, isTimeZone } from '../../core/collecting/due.ts'
import type { Schedule } from '../../prisma/generated/client.ts'
import { check, label } from '../shared/inputs.ts'
import { type RunSelection, selectionFields } from './plan.ts'

const ids = z.array(z.guid().toLowerCase()).max(10_000, 'must have at most 10000 entries').nullish()

const fields = {
  name: label,
  cron: z
    .string()
    .trim()
    .superRefine((text, context) => {
      const flaw = cronFlaw(text, new Date())
      if (flaw !== null) context.addIssue(flaw)
    }),
  timeZone: z
    .string()
    .refine(isTimeZone, 'must be the IANA name of a time zone, such as `Europe/Berlin`')
    .nullish(),
  spreadMinutes: z.number().int().min(0).max(60).nullish(),
  enabled: z.boolean().nullish(),
  promptIds: ids,
  topicIds: ids,
  keys: z.array(label).max(100, 'must have at most 100 entries').nullish(),
  locationIds: ids,
  visibility: z.enum(['whole', 'by_answer']).nullish(),
  ...selectionFields,
}

const newSchedule = z.object(fields)
const changedSchedule = newSchedule.partial()

export type ScheduleInput = z.input<typeof newSchedule>
type Changed = z.input<typeof changedSchedule>
/** Null stands for the default. */
export type ScheduleChange = { readonly [Name in keyof Changed]: Changed[Name] | null }

/** What an input sets. */
export type ScheduleState = Pick<
  Schedule,
  | 'name'
  | 'enabled'
  | 'cron'
  | 'timeZone'
  | 'spreadMinutes'
  | 'promptIds'
  | 'topicIds'
  | 'keys'
  | 'locationIds'
  | 'language'
  | 'repetitions'
  | 'visibility'
>

/** By which null, or nothing for a new schedule, is read. */
const defaults = {
  enabled: true,
  timeZone: 'UTC',
  spreadMinutes: 60,
  promptIds: [],
  topicIds: [],
  keys: [],
  locationIds: [],
  language: null,
  repetitions: 1,
  visibility: 'whole',
} as const satisfies Partial<ScheduleState>

const orDefaults = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value ?? defaults[name as keyof typeof defaults],
    ]),
  )

/** @throws {Fault} `invalid_argument` */
export function readSchedule(input: ScheduleInput): ScheduleState {
  const given = orDefaults(check(newSchedule, present(input)))
  // `newSchedule` has checked the fields, and `defaults` has those that may be absent.
  return { ...defaults, ...given } as unknown as ScheduleState
}

/** The fields of a change, where null stands for the default. @throws {Fault} `invalid_argument` */
export function readChange(input: ScheduleChange): Partial<ScheduleState> {
  return orDefaults(check(changedSchedule, present(input)))
}

const present = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Input

const orAll = (list: readonly string[]) => (list.length === 0 ? null : list)

/** What the runs of a schedule ask. */
export function selectionOf(state: ScheduleState): RunSelection {
  const { promptIds, topicIds, keys, locationIds, language, repetitions } = state
  return {
    promptIds: orAll(promptIds),
    topicIds: orAll(topicIds),
    keys: orAll(keys),
    locationIds: orAll(locationIds),
    language,
    repetitions,
  }
}
