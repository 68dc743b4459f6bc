import { Skeleton } from '@mantine/core'
import type { ComponentType } from 'react'
import { OverviewBelowDocument } from '../../documents.ts'
import { useReached } from '../../parts/reached.ts'
import { Answered } from '../../parts/states.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { weeksOf } from '../../state/interval.ts'
import type { BelowProps } from './part.ts'
import { Opinions, SentimentOverTime } from './sentiment.tsx'
import { Locations, Topics } from './topics.tsx'

/** Topics, locations and sentiment: half of what the page costs, so it is asked when a reader comes near. */
export function Below({ project }: { readonly project: string }) {
  const { window, filter, compare } = useAddress()
  const [ref, isReached] = useReached()
  const variables = {
    project,
    window,
    filter,
    compare,
    weeks: weeksOf(window),
    praising: { ...filter, sentiment: { is: ['positive' as const] } },
    criticizing: { ...filter, sentiment: { is: ['negative' as const] } },
  }
  const asked = { document: OverviewBelowDocument, variables }
  const query = useQuestion(OverviewBelowDocument, variables, { enabled: isReached })
  const part = (Part: ComponentType<BelowProps>, height: number) => (
    <Answered query={query} loading={<Skeleton h={height} radius="md" />}>
      {({ project: found }) => found && <Part project={project} found={found} asked={asked} />}
    </Answered>
  )
  return (
    <div ref={ref}>
      <div className="wide-and-narrow">
        {part(Topics, 520)}
        <div className="stack">
          {part(Locations, 150)}
          {part(Opinions, 350)}
        </div>
      </div>
      {part(SentimentOverTime, 330)}
    </div>
  )
}
