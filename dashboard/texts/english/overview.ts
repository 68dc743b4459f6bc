import { type Rating, ratedBy } from '../../../core/text/rated-by.ts'
import { count, counted, dayText } from '../../../web/share/numbers.ts'

/** Texts of the overview. */
export const overview = {
  title: 'Overview',
  visibility: 'Visibility',
  visibilityHint: 'Share of answers that mention your brand.',
  visibilityMore: 'Select to see it as other tools count.',
  visibilityOf: (mentioning: number, all: number) =>
    `Mentioned in ${count(mentioning)} of ${counted(all, 'answer')}`,
  share: 'Share of voice',
  shareHint: 'Your share of all mentions of tracked brands.',
  rank: (rank: number, of: number) => `#${rank} of ${count(of)}`,
  shareOf: (share: string, leader: string, leaderShare: string) =>
    `${share} of mentions · ${leader} leads with ${leaderShare}`,
  shareLeads: (share: string, second: string, secondShare: string) =>
    `${share} of mentions · ahead of ${second} with ${secondShare}`,
  shareAlone: (share: string) => `${share} of mentions`,
  sentiment: 'Sentiment',
  sentimentHint:
    'From 0 (all negative) to 100 (all positive), over the answers that say something about your brand.',
  sentimentOf: (positive: string, neutral: string, negative: string, rating: Rating) =>
    `${positive} positive · ${neutral} neutral · ${negative} negative · rated ${ratedBy(rating)}`,
  position: 'Average position',
  positionHint: 'Mean rank among the brands of an answer, where 1 is first.',
  positionOf: (answers: number) =>
    `In ${counted(answers, 'answer')} that ${answers === 1 ? 'mentions' : 'mention'} you`,
  trend: 'Over time',
  trendOf: {
    visibility: 'Visibility',
    share: 'Share of voice',
    sentiment: 'Sentiment',
    position: 'Position',
  },
  trendHints: {
    visibility: 'Share of answers that mention each brand',
    share: 'Each brand’s share of all mentions',
    sentiment: 'Your sentiment, from 0 to 100',
    position: 'Your average rank among the brands of an answer',
  },
  previous: {
    previous_period: 'Previous period (dotted)',
    previous_year: 'Previous year (dotted)',
  },
  date: 'Date',
  marks: 'Events in this chart',
  modelChange: (platform: string, model: string, previous: string) =>
    `${platform} answers with ${model}, after ${previous}`,
  importMark: (answers: number, from: string, to: string) =>
    `${counted(answers, 'answer')} imported, ${dayText(from)} to ${dayText(to)}`,
  methodMark: (method: string | null) =>
    method === null ? 'Sentiment by rules from here' : `Sentiment by ${method} from here`,
  sentimentBy: (method: string | null) => (method === null ? 'by rules' : `by ${method}`),
  intervals: { day: '7-day average', week: 'by week', month: 'by month' },
  spoken: (name: string, first: string, last: string) => `${name} from ${first} to ${last}`,
  moved: 'What moved visibility',
  movedBy: { topic: 'Topic', platform: 'AI platform', prompt: 'Prompt', location: 'Location' },
  movedSum: (change: string) => `Contributions add up to ${change}.`,
  movedNone: 'Nothing to compare with: the previous period has no answers.',
  others: 'All others',
  without: 'Without one',
  brands: 'Brands',
  brandsLead: (from: string, to: string) => `${dayText(from)} to ${dayText(to)}`,
  matrix: 'Who leads where',
  matrixLead: 'Visibility by brand and AI platform. The leader of each platform is outlined.',
  topics: 'Visibility by topic and AI platform',
  topicsLead: 'Share of answers that mention you. Each number opens its answers.',
  allPlatforms: 'All',
  cellOf: (mentioning: number, all: number) =>
    `Mentioned in ${count(mentioning)} of ${counted(all, 'answer')}`,
  noTopics: 'This project has no topic with answers.',
  locations: 'Visibility by location',
  sentimentOverTime: 'Sentiment over time',
  sentimentLead: {
    week: 'Answers that mention you, by week',
    month: 'Answers that mention you, by month',
  },
  sentimentSpoken: (from: string, positive: number, neutral: number, negative: number) =>
    `${from}: ${count(positive)} positive, ${count(neutral)} neutral, ${count(negative)} negative`,
  sentimentByPlatform: 'By AI platform',
  sentimentCount: (answers: number, sentiment: string) => `${count(answers)} ${sentiment}`,
  noSentiment: 'No answer in this date range has a sentiment about you.',
  unrated: (answers: number) =>
    answers === 1
      ? '1 answer that mentions you has no sentiment: it says nothing good or bad about you, or is in a language without rules.'
      : `${count(answers)} answers that mention you have no sentiment: they say nothing good or bad about you, or are in a language without rules.`,
  rateByModel: 'Let a model rate every language, in Settings',
  opinions: 'What answers say about you',
  opinionsOf: { criticism: 'Negative', praise: 'Positive' },
  noOpinions: {
    criticism: 'No answer in this date range speaks badly of you.',
    praise: 'No answer in this date range speaks well of you.',
  },
  opinionFrom: (platform: string, day: string) => `${platform} · ${day}`,
  lost: 'Prompts you lose',
  lostNone: 'No competitor is ahead of you in any prompt.',
  lostOf: (leader: string, theirs: string, ours: string) => `${leader} ${theirs} · you ${ours}`,
  toWin: 'Sources to win',
  toWinLead: 'Cited in answers that mention competitors, not you',
  toWinNone: 'Every cited source is in answers that mention you.',
  next: 'Next steps',
  nextNone: 'No open opportunity.',
  warnings: {
    title: 'Check the data first',
    stale: (at: string) => `Your web server has sent nothing since ${at} UTC.`,
    run: (at: string, failed: number, asked: number) =>
      `${count(failed)} of ${counted(asked, 'question')} failed in the run of ${at} UTC.`,
    unanswered: (prompts: number) =>
      `${counted(prompts, 'tracked prompt')} got no answer in the last 30 days.`,
    schedule: (name: string, problem: string) =>
      `The schedule “${name}” could not start: ${problem}`,
  },
  noData: 'No answers in this date range',
  dataFrom: (from: string, to: string) =>
    `This project has answers from ${dayText(from)} to ${dayText(to)}.`,
  showData: 'Show the last 30 days with answers',
  noneAtAll: 'Get your first numbers',
} as const
