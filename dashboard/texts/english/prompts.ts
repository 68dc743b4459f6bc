import { count, counted } from '../../../web/share/numbers.ts'

/** What the columns of a file of prompts are called. */
const fileColumns = {
  text: 'Prompt',
  topic: 'Topic',
  tags: 'Further topics',
  country: 'Location',
  intent: 'Intent',
  branded: 'Branded',
  volume: 'Search volume',
  difficulty: 'Difficulty',
  tracked: 'Active',
} as const

const columnNames: Readonly<Record<string, string>> = fileColumns

/** One prompt by its text, more by their number. */
const these = (prompts: readonly string[]) =>
  prompts.length === 1 ? `“${prompts[0]}”` : counted(prompts.length, 'prompt')

/** Texts of the pages of prompts and of one prompt. */
export const prompts = {
  title: 'Prompts',
  states: {
    all: 'All',
    won: 'Winning',
    lost: 'Losing',
    even: 'Even',
    unanswered: 'No answers',
    paused: 'Paused',
  },
  stateOf: (state: string, prompts: number) => `${state} ${count(prompts)}`,
  search: 'Search prompts',
  topic: 'Topic',
  list: 'Prompts',
  listLead: 'You win a prompt when more of its answers mention you than any competitor.',
  topCompetitor: 'Top competitor',
  lostAnswers: 'Answers without you',
  add: 'Add prompts',
  addLead: 'One prompt a line, any number. Write them as your customers ask.',
  paste: 'Paste',
  csv: 'CSV file',
  dropCsv: 'Drop a CSV file here',
  csvLead: 'The first line names the columns. Comma, semicolon or tab separates them.',
  fileColumns,
  noColumn: 'Not in the file',
  columnAt: (at: number) => `Column ${at}`,
  chooseText: 'Choose the column with the prompts',
  check: 'Check',
  preview: 'Preview',
  line: 'Line',
  lineStates: {
    created: 'New',
    updated: 'Changes',
    unchanged: 'Already there',
    repeated: 'Repeated',
  },
  volumeOf: (searches: number) => `${count(searches)} searches a month`,
  as: (text: string) => `as “${text}”`,
  wouldAdd: (prompts: number) => `${count(prompts)} new`,
  wouldChange: (prompts: number) => `${count(prompts)} to change`,
  thereAlready: (prompts: number) => `${count(prompts)} already there`,
  repeated: (lines: number) => `${count(lines)} repeated`,
  faulty: (lines: number) => `${counted(lines, 'line')} with errors`,
  faultAt: (line: number, fault: string) => `Line ${line}: ${fault}`,
  /** The words of the service, with the names of this form. */
  faultOf: (reason: string) =>
    reason
      .replace(
        /`(\w+)` (must|is)/g,
        (_, name: string, verb: string) => `${columnNames[name] ?? name} ${verb}`,
      )
      .replace(/`([^`]*)`/g, '“$1”'),
  addSome: (created: number, updated: number) =>
    updated === 0
      ? `Add ${counted(created, 'prompt')}`
      : `Add ${count(created)}, change ${count(updated)}`,
  nothingNew: 'Every line is there already, or has an error.',
  done: (created: number, updated: number, unchanged: number, rejected: number) =>
    [
      `${counted(created, 'prompt')} added`,
      ...(updated > 0 ? [`${count(updated)} changed`] : []),
      ...(unchanged > 0 ? [`${count(unchanged)} already there`] : []),
      ...(rejected > 0 ? [`${counted(rejected, 'line')} left out`] : []),
    ].join(', '),
  select: (text: string) => `Select ${text}`,
  selectAll: (prompts: number) => `Select all ${count(prompts)} shown`,
  selected: (prompts: number) => `${count(prompts)} selected`,
  addTopic: 'Add topic',
  removeTopic: 'Remove topic',
  pause: 'Pause',
  resume: 'Resume',
  paused: (prompts: readonly string[]) => `${these(prompts)} paused`,
  resumed: (prompts: readonly string[]) => `${these(prompts)} active again`,
  topicAdded: (topic: string, prompts: readonly string[]) =>
    `Topic “${topic}” added to ${these(prompts)}`,
  topicRemoved: (topic: string, prompts: readonly string[]) =>
    `Topic “${topic}” removed from ${these(prompts)}`,
  deleteAsk: (prompts: number) => `Delete ${counted(prompts, 'prompt')}?`,
  deleteGoes:
    'All answers, wordings and numbers go for everybody, and cannot be brought back. Pause instead to keep the answers.',
  andMore: (prompts: number) => `and ${count(prompts)} more`,
  deleted: (prompts: number, answers: number) =>
    `${counted(prompts, 'prompt')} and ${counted(answers, 'answer')} deleted`,
  edit: 'Edit wording',
  editLead: 'The answers stay, and the history keeps the former wording.',
  reworded: 'Wording saved',
  askedBy: (text: string) => `Another prompt asks this question: “${text}”`,
  pausedList: 'Paused prompts',
  pausedLead: 'AI platforms are not asked. Their answers still count.',
  noPaused: 'No prompt is paused.',
  gap: 'Gap',
  weeks: '12 weeks',
  some: (some: number, all: number) => `${count(some)} of ${counted(all, 'prompt')}`,
  none: 'No prompt matches these filters.',
  intents: {
    informational: 'Informational',
    commercial: 'Commercial',
    transactional: 'Transactional',
    navigational: 'Navigational',
  },
  intent: 'Intent',
  missing: 'This prompt does not exist in this project.',
  visibilityOf: (mentioning: number, all: number) =>
    `${count(mentioning)} of ${counted(all, 'answer')}`,
  brands: 'Brands in the answers',
  byPlatform: 'Visibility by AI platform',
  topSources: 'Top sources',
  overTime: 'Visibility, last 12 weeks',
  noSources: 'No answer cites a source.',
  tabs: { answers: 'Answers', sources: 'Sources', searches: 'Searches', history: 'History' },
  lists: { prompts: 'Prompts', searches: 'Searches', suggested: 'Suggested' },
  searches: 'Searches behind the answers',
  searchesRun: 'Searches',
  searchesRunOf: (prompts: number) => `Behind the answers to ${counted(prompts, 'prompt')}`,
  perAnswer: 'Searches per answer',
  perAnswerOf: 'On average, where an answer had any',
  withoutPage: 'Without a page of yours',
  withoutPageOf: (searches: number) => `Of the ${count(searches)} most frequent searches`,
  ownPage: 'Your page cited',
  noOwnPage: 'None',
  lastSeen: 'Last seen',
  track: 'Track as prompt',
  tracked: 'Tracked',
  suggested: 'Suggested prompts',
  openSuggestions: 'Open',
  dismissedSuggestions: 'Dismissed',
  noneDismissed: 'No suggestion is dismissed.',
  dismiss: 'Dismiss',
  dismissed: (text: string) => `Dismissed “${text}”`,
  suggestAgain: 'Suggest again',
  suggestedAgain: (text: string) => `“${text}” is suggested again`,
  suggestedLead: 'Searches behind several answers of the last 90 days that no prompt tracks.',
  noSuggestions: 'Your prompts track every search that several answers share.',
  searchesLead: 'What the AI platforms searched for before they answered.',
  query: 'Search',
  times: 'Times',
  noSearches: 'The AI platforms reported no search.',
  wordings: 'Wordings',
  wording: 'Wording',
  revision: 'Version',
  from: 'From (UTC)',
} as const
