import { locale } from '../../../web/share/locale.ts'
import { count, counted, dayText } from '../../../web/share/numbers.ts'

const dollars = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
})
const list = new Intl.ListFormat(locale)
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** A Sunday, from which days of the week count. */
const sunday = Date.UTC(2023, 0, 1)
const dayMs = 86_400_000
const dayName = (weekday: 'long' | 'short') => {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' })
  return (day: number) => format.format(sunday + day * dayMs)
}
const shortDay = dayName('short')

const money = (amount: number) =>
  amount > 0 && amount < 0.01 ? `< ${dollars.format(0.01)}` : dollars.format(amount)

const hour = (at: number) => `${at}:00`

/** The days of a schedule, from 0 for Sunday. */
function daysOf(days: readonly number[]): string {
  if (days.length === 7) return 'Every day'
  if (days.join() === '1,2,3,4,5') return 'Weekdays'
  return list.format(days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map(shortDay))
}

/** Whole days from today to a moment, by the calendar of a time zone. */
function daysUntil(at: Date, timeZone: string): number {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone })
  return Math.round((Date.parse(day.format(at)) - Date.parse(day.format())) / dayMs)
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "tomorrow, 6:00", by the clock of a time zone. */
function momentIn(text: string, timeZone: string): string {
  const at = new Date(text)
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }).format(at)
  const days = daysUntil(at, timeZone)
  const date = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const
  const day =
    Math.abs(days) <= 1
      ? relative.format(days, 'day')
      : new Intl.DateTimeFormat(locale, date).format(at)
  return `${day}, ${time}`
}

/** Texts of the page of provider keys, schedules, runs and their cost. */
export const dataCollection = {
  title: 'Data collection',
  money,
  unknownCost: 'Unknown',
  status: 'Status',
  allWell: 'All well',
  attention: 'Needs attention',
  nothingYet: 'Nothing collected yet',
  noKeyYet: 'No provider key yet',
  noScheduleYet: 'No schedule yet',
  addKeyFirst: 'Add a provider key below. Then a schedule can ask your prompts.',
  addScheduleNext: 'Create a schedule below, so that data comes by itself.',
  allPaused: 'All schedules are paused',
  lastRun: (at: string, answered: number, asked: number) =>
    `Last run ${at}: ${count(answered)} of ${counted(asked, 'answer')}`,
  runningNow: (done: number, asked: number) =>
    `A run is under way: ${count(done)} of ${counted(asked, 'answer')}`,
  failedOf: (failed: number, asked: number) =>
    `${count(failed)} of ${counted(asked, 'question')} failed in the last run`,
  refusedKey: (name: string) => `${name} refuses its key`,
  scheduleFailed: (name: string) => `The schedule “${name}” could not start`,
  next: 'Next run',
  noNext: 'No run planned',
  today: 'Today',
  month: 'This month',
  ofCap: (spent: number, cap: number | null) =>
    cap === null ? dollars.format(spent) : `${dollars.format(spent)} of ${dollars.format(cap)}`,
  noCap: 'No spending limit',
  spending: 'Spending limits',
  dayCap: 'Limit per day, $',
  monthCap: 'Limit per month, $',
  setCaps: 'Save',
  capHint: 'Leave a field empty for no limit. Prompts that do not fit under a limit are not asked.',

  sources: 'Sources of answers',
  sourcesLead: 'Your keys of AI providers. They are stored encrypted and never shown again.',
  noSources:
    'No provider key yet. With a key of OpenAI, Perplexity or another provider, Sightline asks your prompts and stores the answers.',
  addKey: 'Add a key',
  provider: 'Provider',
  how: 'Source',
  surface: 'Surface',
  surfaceHint: 'Answers as people see them on the page of the AI platform.',
  api: 'API',
  apiHint: 'Answers of the API with web search. They can differ from what people see in the app.',
  perThousand: 'Per 1,000 answers',
  answeredShare: 'Answered',
  key: 'Key',
  worked: (at: string) => `Works, last used ${at}`,
  untested: 'Not tested yet',
  refusedSince: (day: string) => `Refused since ${day}`,
  test: 'Test',
  testPassed: (name: string) => `${name} accepts the key.`,
  testFailed: (name: string) => `The test of ${name} failed`,
  notChanged: 'Nothing was changed',
  replace: 'Replace the key',
  remove: 'Remove',
  removeAsk: (name: string) =>
    `Sightline forgets this key, and ${name} is not asked any more. Answers that were collected stay. A schedule that only uses this key stops.`,
  removed: (name: string) => `The key of ${name} is removed.`,
  keyStored: (name: string) => `${name} accepts the key. It is stored.`,
  keyTitle: 'Add a provider key',
  replaceTitle: (name: string) => `Replace the key of ${name}`,
  secret: 'API key',
  secretHints: {
    openai: 'From platform.openai.com, API keys.',
    anthropic: 'From console.anthropic.com, API keys.',
    gemini: 'From aistudio.google.com, Get API key.',
    perplexity: 'From perplexity.ai, Settings, API.',
    xai: 'From console.x.ai, API keys.',
    openrouter: 'From openrouter.ai, Keys.',
    mistral: 'From console.mistral.ai, API keys.',
    compatible: 'The key of a service that speaks as OpenAI does.',
    dataforseo: 'Login and password of the API, as login:password.',
    dataforseo_scraper: 'Login and password of the API of DataForSEO, as login:password.',
    serpapi: 'From serpapi.com, Your account.',
    cloro: 'From dashboard.cloro.dev, API keys.',
    brightdata: 'From brightdata.com, Account settings, API keys.',
    oxylabs: 'User name and password of the API user, as username:password.',
    olostep: 'From olostep.com, Dashboard, API keys.',
  } as Readonly<Record<string, string>>,
  needsSecret: 'Paste the key.',
  model: 'Model',
  modelHint: (standard: string) => `Leave it empty for ${standard}.`,
  modelHintPlain: 'The model to ask.',
  modelsListed: (models: number) => `${counted(models, 'model')} that this key may use`,
  needsModel: 'Enter a model.',
  surfaces: 'Surfaces',
  surfacesHint:
    'The pages that the service reads in real sessions, as people see them. Sightline asks your prompts by your own account there, under your contract with the service.',
  needsSurface: 'Choose at least one surface.',
  surfaceNames: {
    chatgpt: 'ChatGPT',
    ai_mode: 'Google AI Mode',
    ai_overviews: 'Google AI Overviews',
    gemini: 'Gemini',
    perplexity: 'Perplexity',
    copilot: 'Microsoft Copilot',
  },
  /** What an answer costs at a service, in its own units. */
  unitsOf: (count: number, unit: 'credit' | 'record' | 'result') => counted(count, unit),
  unitPrice: (unit: string) => `What 1,000 ${unit}s cost in your plan, $`,
  unitPriceListed: (thousand: number) =>
    `Leave it empty for the public price of ${dollars.format(thousand)}.`,
  unitPriceHint:
    'Sightline computes the cost of answers from it. Without it, costs are unknown, and nothing is asked under a spending limit.',
  /** What a service can be asked from, as lines of a table. */
  places: 'Locations',
  placesOfService: (places: 'country' | 'city') =>
    places === 'country'
      ? 'Any country, no cities'
      : 'Any country; cities for Google AI Mode and AI Overviews',
  languages: 'Languages',
  languagesOfService: (knowsLanguages: boolean) =>
    knowsLanguages ? 'The language of the schedule, else English' : 'The language of each prompt',
  testingService:
    'Sightline asks the service for your account, which costs nothing. It stores the key if the service accepts it.',
  label: 'Name',
  labelHint: 'For workspaces with several keys of one provider.',
  address: 'Address of the API',
  addressHint: 'Such as https://api.deepseek.com/v1',
  addressOfProvider: 'Leave it empty to ask the provider directly.',
  needsAddress: 'Enter an address that begins with https://.',
  more: 'More settings',
  testAndSave: 'Test and save',
  testing: 'Sightline sends one short test request. It stores the key if the provider accepts it.',

  schedules: 'Schedules',
  noSchedules:
    'No schedule yet. A schedule asks your prompts by itself, every day or on the days that you choose.',
  schedule: 'Schedule',
  when: 'When',
  times: (when: string, zone: string) => `${when}, ${zone}`,
  days: 'Days',
  dayNames: [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: shortDay(day) })),
  needsDay: 'Choose at least one day.',
  at: 'At',
  hours: Array.from({ length: 24 }, (_, at) => ({ value: String(at), label: hour(at) })),
  needsHour: 'Choose at least one hour.',
  cron: 'Times (cron)',
  /** When a schedule runs; `spread` are the minutes by which it may begin later. */
  onDays: (days: readonly number[], hours: readonly number[], spread: number) =>
    spread === 0
      ? `${daysOf(days)} at ${list.format(hours.map(hour))}`
      : `${daysOf(days)} ${list.format(
          hours.map((at) =>
            spread === 60
              ? `between ${hour(at)} and ${hour((at + 1) % 24)}`
              : `between ${hour(at)} and ${at}:${String(spread).padStart(2, '0')}`,
          ),
        )}`,
  everyHours: (step: number) => `Every ${step} hours`,
  soon: (text: string, timeZone: string) => capitalised(momentIn(text, timeZone)),
  momentIn,
  nextRun: 'Next run',
  last: 'Last run',
  lastRunOf: (state: string, at: string) => `${state}, ${at}`,
  aMonth: 'Cost in 30 days',
  perRun: 'Answers per run',
  problem: 'Problem',
  active: 'Active',
  paused: 'Paused',
  run: 'Run now',
  runStarted: 'The run has started.',
  resume: 'Resume',
  pause: 'Pause',
  edit: 'Edit',
  scheduleDeleted: (name: string) => `“${name}” deleted. Its runs and answers stay.`,
  schedulePaused: (name: string) => `“${name}” paused`,
  scheduleResumed: (name: string) => `“${name}” active again`,
  create: 'New schedule',
  editTitle: (name: string) => `Edit ${name}`,
  needsKey: 'A schedule needs a provider key.',
  name: 'Name',
  nameOf: 'Daily',
  needsName: 'Enter a name.',
  zone: 'Time zone',
  asks: 'AI platforms',
  allSources: 'All provider keys, also later ones',
  sourceName: (platform: string, label: string) => `${platform} (${label})`,
  locations: 'Locations',
  noLocations: 'No location',
  prompts: 'Prompts',
  promptChoices: { all: 'All', topics: 'Topics', chosen: 'Chosen' },
  topics: 'Topics',
  chosenPrompts: 'Chosen prompts',
  needsTopic: 'Choose at least one topic.',
  needsPrompt: 'Choose at least one prompt.',
  repetitions: 'Answers per prompt and platform',
  repetitionsHint: 'AI platforms answer differently each time. More answers make numbers steadier.',
  save: 'Save',
  submit: 'Create',
  planned: (prompts: number, answers: number, cost: number | null) =>
    `${counted(prompts, 'prompt')}: ${counted(answers, 'answer')} per run` +
    (cost === null ? '.' : `, about ${money(cost)}.`),
  plannedMonth: (runs: number, cost: number | null) =>
    cost === null
      ? `${counted(runs, 'run')} in 30 days. The cost is unknown, since a model has no known price.`
      : `${counted(runs, 'run')} in 30 days: about ${money(cost)}.`,
  plannedNothing: 'There is no prompt to ask. Add prompts on the page Prompts.',
  aboveCap: (cap: number) =>
    `This is above the limit of ${money(cap)} a month. What does not fit under it is not asked.`,
  underCap: (cap: number) => `The limit of this project is ${money(cap)} a month.`,
  planning: 'Working out the cost…',

  providers: 'Answers by provider',
  providersLead:
    'Absent: the platform refused, filtered, or showed no answer. An absent answer is not counted as a miss.',
  noQuestions: 'Nothing was collected in this date range.',
  asked: 'Asked',
  answered: 'Answered',
  absent: 'Absent',
  failed: 'Failed',
  agreement: 'Is the API what people see?',
  agreementLead:
    'The same prompt, location and day, in the app, by API and imported: how often the answers agree. Two answers of one way show how much is chance.',
  noPairs: 'No prompt was asked in two ways on one day. Ask the same prompts in both to compare.',
  oneWay: 'All answers were obtained in one way.',
  compared: 'Compared',
  waysOf: (first: string, second: string) => `${first} – ${second}`,
  askedTwice: (way: string) => `${way}, asked twice`,
  pairedQuestions: 'Pairs',
  visibilities: (first: string, second: string) => `${first} – ${second}`,
  sameMentions: 'Same mention of the brand',
  sameFirst: 'Same brand first',
  sameDomains: 'Same sources',
  costs: 'Cost',
  costsLead: (from: string, to: string, questions: number, cost: number) =>
    `${dayText(from)} to ${dayText(to)}: ${dollars.format(cost)} for ${counted(questions, 'answer')}`,
  questions: 'Answers',
  unpriced: 'Without a price',
  cost: 'Cost',
  dearest: 'Prompts that cost most',
  runs: 'Runs',
  noRuns: 'No run yet.',
  started: 'Started',
  timesIn: (zone: string) => `Times are those of ${zone}.`,
  progress: 'Progress',
  underWay: (queued: number, running: number, cost: string) =>
    `${count(queued)} queued, ${count(running)} running${cost && `: about ${cost}`}`,
  ended: (done: number, all: number) => `${count(done)} of ${count(all)}`,
  byHand: 'Started by hand',
  why: 'What went wrong',
  reason: (summary: string, questions: number) => `${summary} (${count(questions)})`,
  retry: (questions: number) => `Ask ${count(questions)} again`,
  retryHint: 'Ask the failed questions again',
} as const
