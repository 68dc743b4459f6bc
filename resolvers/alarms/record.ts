import { idOf } from '../../core/ids.ts'
import type { ProjectScope } from '../shared/scope.ts'
import { monitorsOf } from './monitors.ts'

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`)

/**
 * Writes the alarms of days that no look was at before. Answers that arrive late change the ranks of earlier days too: an
 * alarm that they give to such a day would be a look more than the budget counts.
 * @returns how many are new; those of a monitor's first looks are its history, and do not count
 */
export async function recordAlarms(scope: ProjectScope, now: Date): Promise<number> {
  const { db, project } = scope
  const monitors = await monitorsOf(scope, now)
  return db.$transaction(async (tx) => {
    let opened = 0
    for (const { id, kind, competitorId, looks, alarms } of monitors) {
      const lookedOn = (await tx.monitor.findUnique({ where: { id } }))?.lookedOn ?? null
      const last = [...looks, ...alarms.map(({ openedOn }) => ({ day: openedOn }))]
        .map(({ day }) => day)
        .toSorted()
        .at(-1)
      const looked =
        last === undefined || (lookedOn && lookedOn >= dateOf(last))
          ? {}
          : { lookedOn: dateOf(last) }
      await tx.monitor.upsert({
        where: { id },
        create: { id, projectId: project.id, kind, competitorId, ...looked },
        update: looked,
      })
      const later = alarms.filter(({ openedOn }) => !lookedOn || dateOf(openedOn) > lookedOn)
      await tx.alarm.createMany({
        data: later.map(({ since, openedOn, attribution }) => ({
          id: idOf(id, 'alarm', openedOn),
          monitorId: id,
          projectId: project.id,
          kind,
          since: dateOf(since),
          openedOn: dateOf(openedOn),
          attribution,
        })),
        skipDuplicates: true,
      })
      if (lookedOn) opened += later.length
    }
    return opened
  })
}
