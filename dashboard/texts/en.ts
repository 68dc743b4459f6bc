import { locale } from '../../web/share/locale.ts'
import { count, counted } from '../../web/share/numbers.ts'
import { sourceTypes } from '../../web/share/terms.ts'
import { aiTraffic } from './english/ai-traffic.ts'
import { answers } from './english/answers.ts'
import { competitors } from './english/competitors.ts'
import { imports } from './english/imports.ts'
import { newProject } from './english/new-project.ts'
import { opportunities } from './english/opportunities.ts'
import { overview } from './english/overview.ts'
import { problems } from './english/problems.ts'
import { prompts } from './english/prompts.ts'
import { reports } from './english/reports.ts'
import { settings } from './english/settings.ts'
import { account, join, reset, signIn } from './english/sign-in.ts'
import { siteAudit } from './english/site-audit.ts'
import { sources } from './english/sources.ts'
import { trail } from './english/trail.ts'

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
/** The browser takes milliseconds to read the names, and few pages show any. */
let countries: Intl.DisplayNames | undefined

/** All that the dashboard says in English. A second language is a second file of this shape. */
export const en = {
  product: 'Sightline',
  skip: 'Skip to content',
  loading: 'Loading…',
  failed: 'This did not load',
  needsRights: 'You may only view this. An owner of the workspace can change your role.',
  viewOnly: 'View only',
  viewOnlyHint:
    'You may read this project and change nothing. An owner of the workspace can make you an editor.',
  unreachable: 'Sightline did not answer. Check your connection, and that the service is running.',
  retry: 'Try again',
  noAnswers: 'no answers',
  tooFew: 'too few answers',
  notConnected: 'Not connected',
  day: (text: string) => day.format(new Date(text)),
  dayOfYear: (text: string) => dayOfYear.format(new Date(text)),
  moment: (text: string) => moment.format(new Date(text)),
  place: (countryCode: string, city: string | null) => {
    countries ??= new Intl.DisplayNames(locale, { type: 'region' })
    return [city, countries.of(countryCode) ?? countryCode].filter(Boolean).join(', ')
  },
  signIn,
  problems,
  trail,
  join,
  reset,
  account,
  shell: {
    pages: 'Pages',
    menu: 'Menu',
    project: 'Project',
    projects: 'Projects',
    prompts: 'Prompts',
    searchProjects: 'Search projects',
    search: 'Search',
    searchHint: 'Search (⌘K or Ctrl+K)',
    searchPlaceholder: 'Search pages, prompts and projects',
    nothingFound: 'Nothing found',
    open: (items: number) => `${count(items)} open`,
    filters: 'Filters',
    filtersOf: (active: number) => `Filters (${count(active)})`,
    show: 'Show',
    clear: 'Clear',
    dateRange: 'Date range',
    days: (from: string, to: string) =>
      `${dayOfYear.format(new Date(from))} – ${day.format(new Date(to))}`,
    lastDays: (days: number) => (days === 365 ? 'Last 12 months' : `Last ${days} days`),
    compare: 'Compare with',
    versus: {
      previous_period: 'vs. previous period',
      previous_year: 'vs. previous year',
      none: 'no comparison',
    },
    calendar: {
      nextMonth: 'Next month',
      previousMonth: 'Previous month',
      monthLevelControl: 'Choose a month',
      yearLevelControl: 'Choose a year',
    },
    platforms: 'AI platforms',
    allPlatforms: 'All AI platforms',
    locations: 'Locations',
    allLocations: 'All locations',
    how: 'How',
    anyHow: 'Any way',
    ways: { surface: 'In the app', api: 'By API', imported: 'Imported' },
    mixed: 'Numbers mix answers that were obtained differently. Show one way:',
    wayOf: (way: string, answers: number) => `${way} (${count(answers)})`,
    chosen: (title: string, chosen: number) => `${title}: ${count(chosen)}`,
    branded: 'Branded prompts',
    brandedChoices: { all: 'All prompts', no: 'Non-branded', yes: 'Branded' },
    account: 'Account',
    scheme: 'Theme',
    schemes: { auto: 'System', light: 'Light', dark: 'Dark' },
    docs: 'API reference',
    graphiql: 'GraphiQL',
    signOut: 'Sign out',
    noProject: 'No project yet',
    noProjectHint:
      'You cannot open a project yet. Ask an owner of your workspace to create one or to invite you.',
    missing: 'Page not found',
    missingHint: 'The address may be mistyped, or the page was moved.',
    missingProject: 'This project does not exist, or your key cannot read it.',
    toStart: 'Go to the overview',
  },
  tools: {
    menuOf: (title: string) => `Options: ${title}`,
    csv: 'Download CSV',
    image: 'Download image',
    graphiql: 'Open in GraphiQL',
    proof: 'Copy proof',
    columns: 'Columns',
    search: 'Search',
    searchIn: (title: string) => `Search: ${title}`,
    rows: (rows: number) => counted(rows, 'row'),
    rest: 'Show all',
    firstRows: (some: number, all: number) => `The first ${count(some)} of ${counted(all, 'row')}`,
    pagesOf: (title: string) => `Pages: ${title}`,
    pages: { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' },
    sparkline: (label: string, first: string, last: string) => `${label}: from ${first} to ${last}`,
    all: (items: number) => `All ${count(items)}`,
    more: 'Show more',
    copy: 'Copy link',
    copied: 'Copied',
  },
  sure: {
    range: (low: string, high: string) => `${low} to ${high}`,
    interval: (range: string) => `95% confidence interval: ${range}.`,
    like: (range: string) => `95% confidence interval over prompts like these: ${range}.`,
    exactly: (range: string) => `For exactly these prompts: ${range}.`,
    base: (answers: number) => `From ${counted(answers, 'answer')}.`,
    few: (answers: number) => `few answers (${count(answers)})`,
    about: (label: string, text: string) => `About ${label}: ${text}`,
    caveats: {
      few_prompts: 'Fewer than ten prompts are behind this number.',
      one_prompt: 'One prompt is behind this number, so it says nothing about other prompts.',
      no_spread: 'All answers agree, so the interval is a cautious estimate.',
      independent: 'The interval treats answers as independent.',
    } as Readonly<Record<string, string>>,
  },
  change: {
    points: (points: string) => `${points} pts`,
    same: 'no change',
    count: (number: string, isUp: boolean) => `${isUp ? '+' : '−'}${number}`,
    interval: (low: string, high: string) =>
      `95% confidence interval of the change: ${low} to ${high}.`,
    real: 'The change is statistically significant.',
    normal: 'The change is within normal variation.',
    unknown: 'There are too few prompts to say whether the change is significant.',
  },
  overview,
  // The other texts of the page are loaded with it.
  alerts: { title: 'Alerts' },
  prompts,
  answers,
  competitors,
  sources,
  aiTraffic,
  siteAudit,
  opportunities,
  reports,
  dataCollection: { title: 'Data collection' },
  plannedChange: { title: 'Planned change' },
  imports,
  settings,
  newProject,
  act: {
    reason: 'Reason',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    delete: 'Delete',
    undo: 'Undo',
    removed: (name: string) => `“${name}” removed`,
    notDone: 'This change was not made',
  },
  sourceTypes,
  contentTypes: {
    article: 'Article',
    listicle: 'List',
    how_to: 'How-to',
    comparison: 'Comparison',
    product: 'Product',
    category: 'Category',
    homepage: 'Home page',
    forum_thread: 'Forum thread',
    video: 'Video',
    review: 'Review',
    documentation: 'Documentation',
    other: 'Other',
  },
  severities: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' },
  states: { queued: 'Queued', running: 'Running', completed: 'Done', failed: 'Failed' },
  columns: {
    sentiment: 'Sentiment',
    domain: 'Domain',
    type: 'Type',
    citations: 'Citations',
    prompt: 'Prompt',
    topic: 'Topic',
    platform: 'AI platform',
    brand: 'Brand',
    answers: 'Answers',
    visibility: 'Visibility',
    interval: '95% interval',
    position: 'Avg. position',
    share: 'Share of voice',
    mentions: 'Mentions',
    page: 'Page',
    state: 'State',
    actions: 'Actions',
  },
} as const
