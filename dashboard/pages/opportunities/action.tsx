import { Button } from '@mantine/core'
import { Link } from 'wouter'
import {
  CompleteOpportunityDocument,
  type OneOpportunityFragment,
  TrackPromptDocument,
} from '../../documents.ts'
import { Fault } from '../../parts/act.tsx'
import { PromptLink } from '../../parts/links.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { pathOf, useAddress } from '../../state/address.ts'
import { useChange } from '../../state/change.ts'
import { useMay } from '../../state/may.ts'
import { t } from '../../texts/texts.ts'
import { waysOf } from './ways.ts'

const { opportunities: texts } = t

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
