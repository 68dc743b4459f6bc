import {
  Alert,
  Button,
  Checkbox,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import {
  CreateScheduleDocument,
  type OneScheduleFragment,
  type OneSourceFragment,
  ScheduleChoicesDocument,
  type ScheduleChoicesQuery,
  SchedulePlanDocument,
  UpdateScheduleDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { Answered } from '../../parts/states.tsx'
import { useQuestion } from '../../state/ask.ts'
import { useChange } from '../../state/change.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { t } from '../../texts/texts.ts'
import { cronOf, ownZone, timesIn } from './times.ts'

/** All time zones that the browser knows, and UTC, which its list lacks. */
const zones = () => ['UTC', ...Intl.supportedValuesOf('timeZone')]

type Prompts = keyof typeof texts.promptChoices

interface Values {
  readonly name: string
  readonly days: string[]
  readonly hours: string[]
  /** Of a schedule with other times than days and hours; empty for others. */
  readonly cron: string
  readonly zone: string
  readonly keys: string[]
  readonly locations: string[]
  readonly prompts: Prompts
  readonly topicIds: string[]
  readonly promptIds: string[]
  readonly repetitions: number | string
}

const fresh = (): Values => ({
  name: texts.nameOf,
  days: ['0', '1', '2', '3', '4', '5', '6'],
  hours: ['6'],
  cron: '',
  zone: ownZone,
  keys: [],
  locations: [],
  prompts: 'all',
  topicIds: [],
  promptIds: [],
  repetitions: 1,
})

function valuesOf(schedule: OneScheduleFragment): Values {
  const { name, cron, timeZone, keys, locations, topicIds, promptIds, repetitions } = schedule
  const times = timesIn(cron)
  return {
    name,
    days: (times?.days ?? []).map(String),
    hours: (times?.hours ?? []).map(String),
    cron: times ? '' : cron,
    zone: timeZone,
    keys: [...keys],
    locations: locations.map(({ id }) => id),
    prompts: promptIds.length > 0 ? 'chosen' : topicIds.length > 0 ? 'topics' : 'all',
    topicIds: [...topicIds],
    promptIds: [...promptIds],
    repetitions,
  }
}

/** What the form asks for, as the graph takes it. */
function termsOf(values: Values) {
  const { days, hours, cron, prompts, repetitions } = values
  const times = { days: days.map(Number), hours: hours.map(Number) }
  return {
    cron: cron || cronOf(times),
    timeZone: values.zone,
    keys: values.keys,
    locationIds: values.locations,
    topicIds: prompts === 'topics' ? values.topicIds : [],
    promptIds: prompts === 'chosen' ? values.promptIds : [],
    repetitions: Number(repetitions) || 1,
  }
}

/** Whether there is something to work out the cost of. */
const isWhole = ({ days, hours, cron, prompts, topicIds, promptIds }: Values) =>
  (cron !== '' || (days.length > 0 && hours.length > 0)) &&
  (prompts !== 'topics' || topicIds.length > 0) &&
  (prompts !== 'chosen' || promptIds.length > 0)

interface PlanProps {
  readonly project: string
  readonly values: Values
  readonly monthCap: number | null
}

/** What the schedule will ask and cost, before it is saved. */
function Plan({ project, values, monthCap }: PlanProps) {
  const [settled] = useDebouncedValue(values, 300)
  const variables = { project, ...termsOf(settled) }
  const query = useQuestion(SchedulePlanDocument, variables, { enabled: isWhole(settled) })
  const plan = query.data?.project?.schedulePlan
  if (!isWhole(settled)) return null
  if (query.error) return <Fault error={query.error} />
  if (!plan) {
    return (
      <Alert color="indigo" role="status">
        {texts.planning}
      </Alert>
    )
  }
  const { runsPerMonth, expectedMonthlyCost: monthly, run } = plan
  const isAbove = monthCap !== null && monthly !== null && monthly > monthCap
  return (
    <Alert color={isAbove || run.prompts === 0 ? 'orange' : 'indigo'} role="status">
      {run.prompts === 0 ? (
        texts.plannedNothing
      ) : (
        <>
          <Text size="sm">{texts.planned(run.prompts, run.questions, run.expectedCost)}</Text>
          <Text size="sm" fw={600}>
            {texts.plannedMonth(runsPerMonth, monthly)}
          </Text>
          {run.assumptions.map((text) => (
            <Text size="xs" c="dimmed" key={text}>
              {text}
            </Text>
          ))}
          {monthCap !== null && (
            <Text size="sm">{isAbove ? texts.aboveCap(monthCap) : texts.underCap(monthCap)}</Text>
          )}
        </>
      )}
    </Alert>
  )
}

type Choices = NonNullable<ScheduleChoicesQuery['project']>

export interface ScheduleFormProps {
  readonly project: string
  readonly sources: readonly OneSourceFragment[]
  readonly monthCap: number | null
  /** Absent for a new one. */
  readonly schedule?: OneScheduleFragment | undefined
  onDone(): void
}

function Form(props: ScheduleFormProps & { readonly choices: Choices }) {
  const { project, sources, monthCap, schedule, choices, onDone } = props
  const form = useForm<Values>({
    initialValues: schedule ? valuesOf(schedule) : fresh(),
    validate: {
      name: (text) => (text.trim() === '' ? texts.needsName : null),
      days: (days, { cron }) => (days.length === 0 && cron === '' ? texts.needsDay : null),
      hours: (hours, { cron }) => (hours.length === 0 && cron === '' ? texts.needsHour : null),
      topicIds: (ids, { prompts }) =>
        prompts === 'topics' && ids.length === 0 ? texts.needsTopic : null,
      promptIds: (ids, { prompts }) =>
        prompts === 'chosen' && ids.length === 0 ? texts.needsPrompt : null,
    },
  })
  const creation = useChange(CreateScheduleDocument)
  const update = useChange(UpdateScheduleDocument)
  const { values } = form
  function send(given: Values) {
    const terms = { project, name: given.name.trim(), ...termsOf(given) }
    if (schedule) update.mutate({ ...terms, id: schedule.id }, { onSuccess: onDone })
    else creation.mutate(terms, { onSuccess: onDone })
  }
  const locations = choices.locations?.nodes ?? []
  const topics = choices.topics?.nodes ?? []
  const prompts = choices.prompts?.nodes ?? []
  const hasCron = schedule !== undefined && timesIn(schedule.cron) === undefined
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="sm">
        <TextInput
          label={texts.name}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {hasCron ? (
          <TextInput label={texts.cron} {...form.getInputProps('cron')} />
        ) : (
          <Checkbox.Group label={texts.days} {...form.getInputProps('days')}>
            <Group gap="sm" mt={4}>
              {texts.dayNames.map((day) => (
                <Checkbox key={day.value} {...day} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {!hasCron && (
            <MultiSelect
              label={texts.at}
              data={[...texts.hours]}
              searchable
              {...form.getInputProps('hours')}
            />
          )}
          <Select
            label={texts.zone}
            data={zones()}
            searchable
            allowDeselect={false}
            limit={50}
            {...form.getInputProps('zone')}
          />
        </SimpleGrid>
        <MultiSelect
          label={texts.asks}
          placeholder={values.keys.length === 0 ? texts.allSources : ''}
          data={sources.map(({ label, platform }) => ({
            value: label,
            label: texts.sourceName(platform.displayName, label),
          }))}
          clearable
          {...form.getInputProps('keys')}
        />
        {locations.length > 0 && (
          <MultiSelect
            label={texts.locations}
            placeholder={values.locations.length === 0 ? texts.noLocations : ''}
            data={locations.map(({ id, countryCode, city }) => ({
              value: id,
              label: t.place(countryCode, city),
            }))}
            searchable
            clearable
            {...form.getInputProps('locations')}
          />
        )}
        <div>
          <Input.Label component="div" id="asked-prompts">
            {texts.prompts}
          </Input.Label>
          <SegmentedControl
            fullWidth
            aria-labelledby="asked-prompts"
            data={Object.entries(texts.promptChoices).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('prompts')}
          />
        </div>
        {values.prompts === 'topics' && (
          <MultiSelect
            label={texts.topics}
            data={topics.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            {...form.getInputProps('topicIds')}
          />
        )}
        {values.prompts === 'chosen' && (
          <MultiSelect
            label={texts.chosenPrompts}
            data={prompts.map(({ id, text }) => ({ value: id, label: text }))}
            searchable
            limit={50}
            {...form.getInputProps('promptIds')}
          />
        )}
        <NumberInput
          label={texts.repetitions}
          description={texts.repetitionsHint}
          min={1}
          max={20}
          allowDecimal={false}
          {...form.getInputProps('repetitions')}
        />
        <Plan project={project} values={values} monthCap={monthCap} />
        <Fault error={creation.error ?? update.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending || update.isPending}>
            {schedule ? texts.save : texts.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A form for a schedule, with its cost before it is saved. */
export function ScheduleForm(props: ScheduleFormProps) {
  const query = useQuestion(ScheduleChoicesDocument, { project: props.project })
  return (
    <Answered query={query}>
      {({ project: choices }) => choices && <Form {...props} choices={choices} />}
    </Answered>
  )
}
