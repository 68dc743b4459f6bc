import {
  DataCollectionDocument,
  type DataCollectionQuery,
  type OneRunFragment,
  RunsDocument,
} from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import type { PageProps } from '../../parts/page.ts'
import type { Asked } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { dataCollection as texts } from '../../texts/collecting.ts'
import { AgreementPart } from './agreement.tsx'
import { CostParts } from './costs.tsx'
import { nameOf } from './names.ts'
import { isOpen, Runs } from './runs.tsx'
import { Schedules } from './schedules.tsx'
import { Sources } from './sources.tsx'
import { SpendingPart } from './spending.tsx'
import { Status } from './status.tsx'
import { zoneOf } from './times.ts'

type Found = NonNullable<DataCollectionQuery['project']>
type Coverage = NonNullable<NonNullable<Found['visibility']>['coverage']>[number]

const coverageColumns: readonly Column<Coverage>[] = [
  textColumn(texts.provider, ({ provider }) => nameOf(provider)),
  countColumn(texts.asked, ({ asked }) => asked),
  countColumn(texts.answered, ({ answered }) => answered),
  countColumn(texts.absent, ({ absent }) => absent),
  countColumn(texts.failed, ({ failed }) => failed),
]

const refetchMs = 5000

/** While a run is under way, its numbers are asked again. */
const pauseOf = (runs: readonly Pick<OneRunFragment, 'status'>[] | undefined) =>
  runs?.some(isOpen) ? refetchMs : false

/** Is data coming, and what does it cost? Provider keys, schedules, runs, and spending against its limits. */
export function DataCollection({ project }: PageProps) {
  const { window } = useAddress()
  const variables = { project: project.id, window }
  const query = useQuestion(DataCollectionDocument, variables, {
    refetchInterval: ({ project: found }) => pauseOf(found?.runs?.nodes),
  })
  // Asked beside the page, which waits for it: otherwise its cards would move when the runs come.
  const runs = useQuestion(
    RunsDocument,
    { project: project.id },
    { refetchInterval: ({ project: found }) => pauseOf(found?.runs?.nodes) },
  )
  return (
    <Answered query={runs}>
      {(found) => (
        <Answered query={query}>
          {(page) =>
            page.project && (
              <Cards
                project={project.id}
                found={page.project}
                runs={found.project?.runs?.nodes ?? []}
                asked={{ document: DataCollectionDocument, variables }}
              />
            )
          }
        </Answered>
      )}
    </Answered>
  )
}

interface CardsProps {
  readonly project: string
  readonly found: Found
  readonly runs: readonly OneRunFragment[]
  readonly asked: Asked<DataCollectionQuery, { project: string }>
}

function Cards({ project, found, runs, asked }: CardsProps) {
  const sources = found.answerSources?.nodes ?? []
  const schedules = found.schedules?.nodes ?? []
  const coverage = found.visibility?.coverage ?? []
  return (
    <>
      <Status found={found} />
      <Sources workspace={found.workspace.id} sources={sources} coverage={coverage} asked={asked} />
      <Schedules
        project={project}
        schedules={schedules}
        sources={sources}
        monthCap={found.spending.monthCap}
        asked={asked}
      />
      <Runs project={project} zone={zoneOf(schedules)} runs={runs} />
      <Part
        title={texts.providers}
        lead={texts.providersLead}
        empty={texts.noQuestions}
        asked={asked}
        columns={coverageColumns}
        rows={coverage}
        keyOf={({ provider }) => provider}
      />
      <AgreementPart project={project} />
      {found.collectingCost && (
        <CostParts project={project} costs={found.collectingCost} asked={asked} />
      )}
      <SpendingPart project={project} spending={found.spending} />
    </>
  )
}
