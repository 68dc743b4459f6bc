import { locale } from '../../web/share/locale.ts'
import { count, counted, dayText } from '../../web/share/numbers.ts'
import { cited } from './english/cited.ts'
import { collecting } from './english/collecting.ts'
import { imports } from './english/imports.ts'
import { named } from './english/named.ts'
import { newProject } from './english/new-project.ts'
import { read } from './english/read.ts'
import { reports } from './english/reports.ts'
import { settings } from './english/settings.ts'
import { work } from './english/work.ts'

const list = new Intl.ListFormat(locale)

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const dayOfYear = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** All that the dashboard says in English. A second language is a second file of this shape. */
export const en = {
  product: 'Sightline',
  skip: 'Skip to the page',
  loading: 'Loading…',
  failed: 'The service did not answer this question.',
  retry: 'Try again',
  noAnswers: 'no answers',
  day: (text: string) => day.format(new Date(text)),
  dayOfYear: (text: string) => dayOfYear.format(new Date(text)),
  moment: (text: string) => moment.format(new Date(text)),
  signIn: {
    title: 'Sign in',
    lead: 'The dashboard reads with an API key. The key stays in this tab and goes to this service alone.',
    organisation: 'Sign in with your organisation',
    key: 'API key',
    submit: 'Sign in',
    malformed: 'An API key starts with “sgl_” and holds letters and digits.',
    refused: 'The service does not know this key, or the key was revoked.',
    usedCode:
      'This link was used, or is older than ten minutes. Run “npx sightline open” for a new one.',
    hint: '“npm start” prints an address that signs you in. “sightline key create” makes a key.',
  },
  shell: {
    pages: 'Pages',
    project: 'Project',
    window: 'Window',
    from: 'First day',
    to: 'Last day',
    assistant: 'Assistant',
    allAssistants: 'All assistants',
    days: (days: number) => `${days} days`,
    ownWindow: 'Own dates',
    apply: 'Show',
    signOut: 'Sign out',
    scheme: 'Light or dark',
    schemes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
    graphiql: 'GraphiQL',
    noProject: 'This key reads no project.',
    noProjectHint:
      'A project is made with a key of its workspace that has the scope “admin”, or on the machine of the service: “sightline project create”.',
    missing: 'There is no such page',
    missingProject: 'This key reads no project of this id.',
    toStart: 'To the first page',
  },
  tools: {
    csv: 'CSV',
    csvOf: (title: string) => `CSV: ${title}`,
    graphiql: 'Open in GraphiQL',
    graphiqlOf: (title: string) => `Open in GraphiQL: ${title}`,
    next: 'Next page',
    first: 'First page',
  },
  sure: {
    range: (low: string, high: string) => `${low} to ${high}`,
    like: 'Questions like these',
    exactly: 'Exactly these questions',
    unknown: 'not known',
    few: (answers: number) => `From ${counted(answers, 'answer')}: fewer than ten say little.`,
    caveats: {
      few_prompts: 'Fewer than ten prompts are behind this number.',
      one_prompt: 'One prompt is behind this number: it says nothing of other prompts.',
      no_spread: 'All answers agree, so the interval is a careful guess.',
      independent: 'The interval takes answers as independent.',
    } as Readonly<Record<string, string>>,
    hollow: 'Hollow: fewer than ten answers. Lines and bands: 95% intervals.',
  },
  change: {
    points: (points: string) => `${points} points`,
    none: 'Nothing to compare with in the period before.',
    same: 'As in the period before.',
    by: (change: string) => `${change} against the period before`,
    real: 'more than chance explains',
    chance: 'chance explains it',
    unsure: 'whether chance explains it is not known',
  },
  standing: {
    nav: 'Standing',
    title: 'How do we stand?',
    period: (from: string, to: string) => `${dayText(from)} to ${dayText(to)}`,
    before: (from: string, to: string) => `Period before: ${dayText(from)} to ${dayText(to)}.`,
    visibility: 'Visibility',
    visibilityOf: (named: number, all: number) =>
      `${count(named)} of ${counted(all, 'answer')} name the brand.`,
    voice: 'Share of voice',
    voiceOf: (own: number, all: number) =>
      `${count(own)} of ${counted(all, 'naming')} of tracked brands are ours.`,
    tone: 'Tone',
    toneOf: (positive: number, neutral: number, negative: number) =>
      `Of 100. ${list.format([`${count(positive)} positive`, `${count(neutral)} neutral`, `${count(negative)} negative`])} answers.`,
    position: 'Position',
    positionOf: (answers: number) => `Mean place in ${counted(answers, 'answer')}; 1 is first.`,
    history: 'Visibility by day',
    byAssistant: 'Visibility by assistant',
    byBrand: 'Share of voice by brand',
    noData: 'No answers in this window.',
    dataFrom: (from: string, to: string) =>
      `This project has answers from ${dayText(from)} to ${dayText(to)}.`,
    showData: 'Show the last 30 days with answers',
    noneAtAll: 'This project has no answers yet.',
    steps: {
      settings: 'Add prompts, and check the names of the brand and its competitors',
      imports: 'Import answers that you have',
      collecting: 'Or let a schedule ask the assistants',
      read: 'Link the site, to see which crawlers read it',
      reports: 'Make a report, and share it',
    },
  },
  alerts: {
    title: 'Look at the data first',
    stale: (at: string) => `No server has sent requests since ${at} UTC.`,
    run: (at: string, failed: number, asked: number) =>
      `The run of ${at} UTC failed for ${count(failed)} of ${counted(asked, 'question')}.`,
    unanswered: (prompts: number) =>
      `${counted(prompts, 'tracked prompt')} had no answer in the last 30 days.`,
    schedule: (name: string, problem: string) =>
      `The schedule “${name}” started no run: ${problem}`,
  },
  changes: {
    title: 'What changed most',
    fromTo: (before: string, now: string) => `Visibility went from ${before} to ${now}.`,
    what: 'Where',
    kind: 'Kind',
    kinds: {
      platform: 'assistant',
      topic: 'topic',
      prompt: 'prompt',
      location: 'place',
      competitor: 'competitor',
    },
    part: 'Part of the change',
    before: 'Before',
    now: 'Now',
    evidence: 'Answers that show it',
    saidBy: (assistant: string, date: string) => `(${assistant}, ${day.format(new Date(date))}):`,
  },
  newProject,
  named,
  cited,
  read,
  work,
  reports,
  collecting,
  imports,
  settings,
  act: { reason: 'Reason', cancel: 'Keep' },
  asked: {
    nav: 'Prompts',
    title: 'What is asked?',
    prompts: 'Prompts with answers',
    lead: (some: number, all: number) =>
      `${count(some)} of ${counted(all, 'prompt')}. The interval is for exactly this question.`,
    byDay: 'Visibility by day',
    sparkline: (first: string, last: string) => `From ${first} to ${last}`,
    revision: 'Wording no.',
    unanswered: 'Prompts without an answer',
    unansweredLead: (some: number, all: number) =>
      `${count(some)} of ${counted(all, 'tracked prompt')} without an answer in this window. A schedule asks them, or an import brings answers.`,
    topic: 'Topic',
    since: 'Added (UTC)',
    back: 'All prompts',
    missing: 'This project has no such prompt.',
    answers: (all: number) => `${counted(all, 'answer')} in this window, the newest first.`,
    wordings: 'Earlier and present wordings',
    wording: (text: string, at: string) => `${text} (${day.format(new Date(at))})`,
    from: (model: string, at: string) => `${model ? `${model}, ` : ''}${day.format(new Date(at))}`,
    named: 'Brands',
    nobody: 'The answer names no tracked brand.',
    mention: (name: string, rank: number, tone: string | null) =>
      `${name}: place ${rank}, ${tone ?? 'no tone'}`,
    source: 'Show the source',
    more: (shown: number, all: number) =>
      `Show more: ${count(shown)} of ${count(all)} characters so far`,
    cited: 'Sources',
    nothing: 'The answer cites no source.',
  },
  sourceTypes: {
    brand: 'own',
    competitor: 'competitor',
    editorial: 'editorial',
    social: 'social',
    forum: 'forum',
    review: 'reviews',
    institutional: 'institution',
    third_party: 'third party',
    other: 'other',
  },
  columns: {
    tone: 'Tone',
    domain: 'Domain',
    kind: 'Kind',
    citations: 'Citations',
    prompt: 'Prompt',
    day: 'Day',
    assistant: 'Assistant',
    brand: 'Brand',
    answers: 'Answers',
    named: 'Name the brand',
    visibility: 'Visibility',
    interval: '95% interval',
    position: 'Position',
    share: 'Share of voice',
    namings: 'Namings',
    change: 'Change',
  },
} as const
