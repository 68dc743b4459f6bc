import type {
  PlannedAction,
  PlannedAllowance,
  PlannedLine,
  PlannedWords,
} from '../../core/planned-changes.ts'

/** The values of a planned change by the arguments of its mutation. */
export type PlannedInput = Readonly<Record<string, unknown>>

interface Found<Before, Result> {
  /** The project before the change; what it lacks is null. */
  readonly before: Before
  readonly result: Result
  readonly input: PlannedInput
}

export interface ActionFacts {
  readonly mutation: string
  /** Arguments that the action itself sets. */
  readonly fixed?: PlannedInput
  /** Arguments that nobody may plan. */
  readonly without?: readonly string[]
  /** What the project has before: a selection of `Project`, in which `$id` is the argument `idOf`. */
  readonly before?: string
  readonly idOf?: string
  /** A selection of the mutation's result. */
  readonly result: string
  readonly takes?: PlannedAllowance['name']
  readonly words: (
    found: Found<unknown, unknown>,
  ) => Partial<PlannedWords> & Pick<PlannedWords, 'summary' | 'lines'>
}

const action = <Before, Result>(
  facts: Omit<ActionFacts, 'words'> & {
    readonly words: (
      found: Found<Before, Result>,
    ) => Partial<PlannedWords> & Pick<PlannedWords, 'summary' | 'lines'>
  },
): ActionFacts => ({
  ...facts,
  // `before` and `result` are selections of the same facts.
  words: ({ before, result, input }) =>
    facts.words({ before: before as Before, result: result as Result, input }),
})

const longest = 80

/** A text in quotation marks, cut for a sentence. */
const quoted = (text: string) =>
  `“${text.length > longest ? `${[...text].slice(0, longest).join('')}…` : text}”`

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

/** What of two states differs, by the words for their fields. */
function changed(
  before: PlannedInput | null,
  after: PlannedInput,
  labels: Readonly<Record<string, string>>,
): PlannedLine[] {
  return Object.entries(labels)
    .map(([name, label]) => ({
      label,
      before: textOf(before?.[name]),
      after: textOf(after[name]),
    }))
    .filter(({ before: was, after: is }) => was !== is)
}

interface PromptState {
  readonly text: string
  readonly isTracked: boolean
}
interface OnePrompt {
  readonly prompt: (PromptState & PlannedInput) | null
}

const promptFields =
  'id text isTracked intentCategory isBranded keywordSearchVolume keywordDifficulty currentRevision'

const noChange = ['Nothing changes: it has this state already.']

const tracking = (name: 'archive' | 'restore', verb: string, takes?: 'prompts') =>
  action<OnePrompt, OnePrompt>({
    mutation: 'setPromptTracking',
    fixed: { action: name },
    before: `prompt(id: $id) { ${promptFields} }`,
    idOf: 'promptId',
    result: `... on PromptChange { prompt { ${promptFields} } }`,
    ...(takes && { takes }),
    words({ before, result }) {
      const after = result.prompt as PromptState & PlannedInput
      const lines = changed(before.prompt, after, { isTracked: 'Asked in new runs' })
      return {
        summary: `${verb} the prompt ${quoted(after.text)}.`,
        lines: [{ label: 'Prompt', before: after.text, after: after.text }, ...lines],
        notes: lines.length > 0 ? [] : noChange,
      }
    },
  })

interface OpportunityResult {
  readonly changed: boolean
  readonly opportunity: { readonly title: string; readonly status: string }
}

const opportunity = (mutation: string, verb: string) =>
  action<unknown, OpportunityResult>({
    mutation,
    result: '... on OpportunityChange { changed opportunity { id title status } }',
    words({ result: { changed: isChanged, opportunity: after }, input }) {
      const { title, status } = after
      const reason = textOf(input.reason)
      return {
        summary: `${verb} the opportunity ${quoted(title)}.`,
        lines: [
          { label: 'Opportunity', before: title, after: title },
          { label: 'State', before: isChanged ? 'active' : status, after: status },
          ...(reason === null ? [] : [{ label: 'Reason', before: null, after: reason }]),
        ],
        notes: isChanged ? [] : noChange,
      }
    },
  })

const recount =
  'Answers that are there already were not searched for the new name: recount them in Settings to see it in earlier days.'

interface RunResult {
  readonly expectedCost: number | null
  readonly schedule: { readonly name: string } | null
  readonly coverage: readonly {
    readonly provider: string
    readonly asked: number
    readonly waiting: number
    readonly queued: number
  }[]
}

/** What AI clients can plan, each by a mutation of the graph and what a person sees of it. */
export const actions: Readonly<Record<PlannedAction, ActionFacts>> = {
  add_prompts: action<
    unknown,
    {
      readonly prompts: readonly { text: string; topics: readonly { name: string }[] }[]
      readonly existing: readonly { text: string }[]
    }
  >({
    mutation: 'addPrompts',
    result: '... on PromptAddition { prompts { id text topics { name } } existing { id text } }',
    takes: 'prompts',
    words({ result: { prompts, existing } }) {
      const [first] = prompts
      const which = first && prompts.length === 1 ? ` ${quoted(first.text)}` : ''
      return {
        summary:
          prompts.length === 0
            ? 'Add no prompt: each is there already.'
            : `Add ${prompts.length === 1 ? 'the prompt' : counted(prompts.length, 'prompt')}${which}.`,
        lines: prompts.map(({ text, topics }) => ({
          label:
            topics.length > 0 ? `Prompt in ${topics.map(({ name }) => name).join(', ')}` : 'Prompt',
          before: null,
          after: text,
        })),
        notes: existing.map(({ text }) => `There already, and not added again: ${quoted(text)}.`),
      }
    },
  }),
  update_prompt: action<OnePrompt, OnePrompt>({
    mutation: 'updatePrompt',
    before: `prompt(id: $id) { ${promptFields} }`,
    idOf: 'promptId',
    result: `... on PromptChange { prompt { ${promptFields} } }`,
    words({ before, result }) {
      const after = result.prompt as PromptState & PlannedInput
      const lines = changed(before.prompt, after, {
        text: 'Text',
        intentCategory: 'Intent',
        isBranded: 'Names the brand',
        keywordSearchVolume: 'Searches per month',
        keywordDifficulty: 'Keyword difficulty',
      })
      return {
        summary: `Change the prompt ${quoted(before.prompt?.text ?? after.text)}.`,
        lines,
        notes: lines.length > 0 ? [] : noChange,
      }
    },
  }),
  archive_prompt: tracking('archive', 'Pause'),
  restore_prompt: tracking('restore', 'Resume', 'prompts'),
  add_topic: action<unknown, object>({
    mutation: 'addTopic',
    result: '... on ProjectChange { subjectId changed }',
    words: ({ input: { name } }) => ({
      summary: `Add the topic ${quoted(String(name))}.`,
      lines: [{ label: 'Topic', before: null, after: textOf(name) }],
    }),
  }),
  add_competitor: action<unknown, { readonly needsReanalysis: boolean }>({
    mutation: 'addCompetitor',
    result: '... on ProjectChange { subjectId changed needsReanalysis }',
    words({ input: { name, domain, aliases }, result: { needsReanalysis } }) {
      const others = Array.isArray(aliases) ? aliases.map(({ text }) => String(text)) : []
      return {
        summary: `Add the competitor ${quoted(String(name))} (${String(domain)}).`,
        lines: [
          { label: 'Competitor', before: null, after: textOf(name) },
          { label: 'Domain', before: null, after: textOf(domain) },
          ...others.map((alias) => ({ label: 'Other name', before: null, after: alias })),
        ],
        notes: needsReanalysis ? [recount] : [],
      }
    },
  }),
  create_report: action<
    unknown,
    {
      readonly report: {
        readonly title: string
        readonly reportType: string
        readonly dateRange: { readonly from: string; readonly to: string }
      }
    }
  >({
    mutation: 'createReport',
    // A link to a report publishes data.
    without: ['share'],
    result: '... on ReportChange { report { id title reportType dateRange { from to } } }',
    takes: 'reports',
    words({ result: { report } }) {
      const { title, reportType, dateRange } = report
      return {
        summary: `Create the report ${quoted(title)}.`,
        lines: [
          { label: 'Report', before: null, after: title },
          { label: 'Subject', before: null, after: reportType },
          { label: 'Days', before: null, after: `${dateRange.from} to ${dateRange.to}` },
        ],
        notes: ['Nobody outside the project sees it: it gets no link.'],
      }
    },
  }),
  create_audit: action<
    unknown,
    { readonly audit: { readonly pageCount: number; readonly isWholeSite: boolean } }
  >({
    mutation: 'createAudit',
    result: '... on AuditRequest { audit { id pageCount isWholeSite } }',
    takes: 'audits',
    words({ result: { audit } }) {
      return {
        summary: `Start a site audit of ${counted(audit.pageCount, 'page')}.`,
        lines: [
          { label: 'Pages', before: null, after: String(audit.pageCount) },
          { label: 'All tracked pages', before: null, after: textOf(audit.isWholeSite) },
        ],
        notes: ['Sightline requests the pages from the site.'],
      }
    },
  }),
  refresh_sitemap: action<
    { readonly sitemap: { readonly status: string } },
    { readonly job: { readonly status: string } }
  >({
    mutation: 'refreshSitemap',
    before: 'sitemap { status }',
    result: '... on SitemapRefresh { job { id status } }',
    words: ({ before, result: { job } }) => ({
      summary: 'Read the sitemap of the site again.',
      lines: [{ label: 'Sitemap', before: before.sitemap.status, after: job.status }],
    }),
  }),
  run_schedule: action<unknown, RunResult>({
    mutation: 'runSchedule',
    result:
      '... on Run { id expectedCost schedule { id name } coverage { provider asked waiting queued } }',
    words({ result: { expectedCost, schedule, coverage } }) {
      const questions = coverage.map(({ provider, asked, waiting, queued }) => ({
        provider,
        count: Math.max(asked, waiting + queued),
      }))
      const all = questions.reduce((sum, { count }) => sum + count, 0)
      return {
        summary: `Run the schedule ${quoted(schedule?.name ?? '')} now: ${counted(all, 'question')} to AI platforms.`,
        lines: questions.map(({ provider, count }) => ({
          label: 'Questions',
          before: null,
          after: `${count} to ${provider}`,
        })),
        costUsd: expectedCost,
        notes:
          expectedCost === null ? ['What it costs is unknown: a model has no known price.'] : [],
      }
    },
  }),
  complete_opportunity: opportunity('completeOpportunity', 'Mark as done'),
  dismiss_opportunity: opportunity('dismissOpportunity', 'Dismiss'),
  ignore_issue: action<
    { readonly issue: { readonly status: string } | null },
    { readonly title: string; readonly url: string; readonly status: string }
  >({
    mutation: 'ignoreIssue',
    before: 'issue(id: $id) { status }',
    idOf: 'issueId',
    result: '... on Issue { id title url status }',
    words: ({ before, result: { title, url, status }, input: { reason } }) => ({
      summary: `Ignore the issue ${quoted(title)}, in later audits too.`,
      lines: [
        { label: 'Issue', before: title, after: title },
        { label: 'Page', before: url, after: url },
        { label: 'State', before: before.issue?.status ?? null, after: status },
        { label: 'Reason', before: null, after: textOf(reason) },
      ],
    }),
  }),
}
