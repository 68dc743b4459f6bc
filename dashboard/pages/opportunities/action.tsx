import { Button } from '@mantine/core'
import { Link } from 'wouter'
import {
  CompleteOpportunityDocument,
  type OneOpportunityFragment,
  TrackPromptDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { type PageLinkProps, PromptLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { type AddressState, pathOf, useAddress } from '../../state/address.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'

const { opportunities: texts } = t

type Evidenced = OneOpportunityFragment['evidence'][number]

/** What a row of the evidence counts; which of it there is depends on the kind of the row. */
export function subjectOf(row: Evidenced) {
  return {
    prompt: 'prompt' in row ? row.prompt : null,
    url: 'url' in row ? row.url : null,
    page: 'page' in row ? row.page : null,
    issue: 'issue' in row ? row.issue : null,
    query: 'query' in row ? row.query : null,
    domain: 'domain' in row ? row.domain : null,
    platform: 'platform' in row ? row.platform : null,
    topic: 'topic' in row ? row.topic : null,
  }
}

interface TrackProps {
  readonly project: string
  readonly text: string
  readonly id: string
  readonly title: string
}

/** Tracks the prompt, says where it is, and marks the opportunity as done. */
function Track({ project, text, id, title }: TrackProps) {
  const add = useChange(TrackPromptDocument)
  const complete = useChange(CompleteOpportunityDocument)
  const may = useMay()
  const track = () =>
    add.mutate(
      { project, text },
      {
        onSuccess: ({ addPrompts }) => {
          const [prompt] = addPrompts && 'prompts' in addPrompts ? addPrompts.prompts : []
          notifyDone(
            <>
              {texts.tracked} {prompt && <PromptLink project={project} prompt={prompt} />}
            </>,
          )
          complete.mutate({ project, id })
        },
      },
    )
  if (!may(TrackPromptDocument)) return null
  return (
    <>
      <Button
        size="compact-sm"
        loading={add.isPending}
        aria-label={`${texts.track}: ${title}`}
        onClick={track}
      >
        {texts.track}
      </Button>
      <Fault error={add.error ?? complete.error} />
    </>
  )
}

type Way = readonly [label: string, to: PageLinkProps['to'], own?: AddressState]

const fixes: readonly string[] = ['fix_page', 'fix_pages', 'fix_site', 'allow_crawler']

/** The pages of the dashboard that show what to work on, the closest first. */
function waysOf({ actionType, rule, evidence }: OneOpportunityFragment): Way[] {
  const subjects = evidence.map(subjectOf)
  const first = <Key extends keyof (typeof subjects)[number]>(key: Key) =>
    subjects.map((each) => each[key]).find(Boolean)
  const issue = first('issue')
  const page = first('page')
  const prompt = first('prompt')
  const domain = first('domain')
  const query = first('query')
  const platform = first('platform')
  const topic = first('topic')
  const ways: (Way | false | '' | null | undefined)[] = [
    fixes.includes(actionType) && [
      texts.openIssues,
      ['site-audit'],
      issue ? { check: issue.type } : {},
    ],
    page && [texts.openPage, ['ai-traffic', page.id]],
    domain && [texts.openSource, ['sources', domain]],
    prompt && !domain && !topic && !platform && [texts.openPrompt, ['prompts', prompt.id]],
    topic && [texts.openPrompts, ['prompts'], { topics: topic.id }],
    domain && [texts.openAnswers, ['answers'], { domain }],
    // What people search for, no answer need have searched for.
    query && rule !== 'search_demand' && [texts.openAnswers, ['answers'], { query }],
    platform && [texts.openAnswers, ['answers'], { platforms: platform.slug }],
  ]
  return ways.filter((way): way is Way => Boolean(way))
}

interface ActionProps {
  readonly project: string
  readonly opportunity: OneOpportunityFragment
}

/** The buttons that do what the opportunity proposes, or show what to work on. */
export function Actions({ project, opportunity }: ActionProps) {
  const { link } = useAddress()
  const { id, title, promptText } = opportunity
  const ways = waysOf(opportunity).slice(0, 2)
  return (
    <>
      {promptText && <Track project={project} text={promptText} id={id} title={title} />}
      {ways.map(([label, to, own], i) => (
        <Button
          key={label}
          size="compact-sm"
          variant={i === 0 && !promptText ? 'filled' : 'light'}
          component={Link}
          href={link(pathOf(project, ...to), own)}
          aria-label={`${label}: ${title}`}
        >
          {label}
        </Button>
      ))}
    </>
  )
}
