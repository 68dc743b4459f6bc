import { DataCollectionDocument, type DataCollectionQuery } from '../../documents.ts'
import { countColumn, textColumn } from '../../parts/columns.tsx'
import type { PageProps } from '../../parts/page.ts'
import { Answered } from '../../parts/states.tsx'
import { type Column, Part } from '../../parts/table.tsx'
import { useAddress } from '../../state/address.ts'
import { useQuestion } from '../../state/ask.ts'
import { t } from '../../texts/texts.ts'
import { CostParts } from './costs.tsx'
import { nameOf } from './names.ts'
import { isOpen, Runs } from './runs.tsx'
import { Schedules } from './schedules.tsx'
import { Sources } from './sources.tsx'
import { SpendingPart } from './spending.tsx'
import { Status } from './status.tsx'
import { zoneOf } from './times.ts'

const { dataCollection: texts } = t

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

/** Is data coming, and what does it cost? Provider keys, schedules, runs, and spending against its limits. */
export function DataCollection({ project }: PageProps) {
  const { window } = useAddress()
  const variables = { project: project.id, window }
  const asked = { document: DataCollectionDocument, variables }
  const query = useQuestion(DataCollectionDocument, variables, {
    refetchInterval: ({ project: found }) => (found?.runs?.nodes.some(isOpen) ? refetchMs : false),
  })
  return (
    <Answered query={query}>
      {({ project: found }) => {
        if (!found) return null
        const sources = found.answerSources?.nodes ?? []
        const schedules = found.schedules?.nodes ?? []
        const coverage = found.visibility?.coverage ?? []
        return (
          <>
            <Status found={found} />
            <Sources
              workspace={found.workspace.id}
              sources={sources}
              coverage={coverage}
              asked={asked}
            />
            <Schedules
              project={project.id}
              schedules={schedules}
              sources={sources}
              monthCap={found.spending.monthCap}
              asked={asked}
            />
            <Runs project={project.id} zone={zoneOf(schedules)} />
            <Part
              title={texts.providers}
              lead={texts.providersLead}
              empty={texts.noQuestions}
              asked={asked}
              columns={coverageColumns}
              rows={coverage}
              keyOf={({ provider }) => provider}
            />
            {found.collectingCost && (
              <CostParts project={project.id} costs={found.collectingCost} asked={asked} />
            )}
            <SpendingPart project={project.id} spending={found.spending} />
          </>
        )
      }}
    </Answered>
  )
}
