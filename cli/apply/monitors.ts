import type { MonitorKind } from '../../core/alarms/kinds/kinds.ts'
import { addMonitor, removeMonitor, updateMonitor } from '../../resolvers/alarms/change.ts'
import { monitorId } from '../../resolvers/alarms/monitors.ts'
import { differing, type Ids, make, named, type Place, type Work } from './changes.ts'
import type { Path } from './file.ts'
import { type Monitor, monitorWords, sameName, wordFor } from './shape.ts'
import type { ProjectState } from './state.ts'

interface Parts {
  readonly topics: Ids
  readonly place: Place
  readonly path: Path
}

type Known = ProjectState['monitors'][number]

/** A monitor of a file with the ids of what it names. */
interface Found {
  readonly monitor: Monitor
  readonly kind: MonitorKind
  readonly topicId: string | null
  readonly platform: string | null
  readonly competitorId: string | null
}

function kindOf({ kind: word }: Monitor): MonitorKind {
  const kind = monitorWords[word]
  if (!kind) throw new Error(`A file has passed with a monitor of the kind ${word}`)
  return kind
}

const nameOf = (kind: string, subject: string | null | undefined) =>
  named('monitor', subject == null ? kind : `${kind} of ${subject}`)

/** Makes the monitors of a project what the file says. Those that every project has stay, whether it names them or not. */
export async function applyMonitors(
  work: Work,
  { id, topics: known, monitors }: ProjectState,
  wanted: readonly Monitor[] | undefined,
  { topics, place, path }: Parts,
): Promise<void> {
  if (wanted === undefined) return
  const { tx, actor, file } = work
  const where = { projectId: id }
  const rivals = await tx.competitor.findMany({ where, select: { id: true, name: true } })
  const all = wanted.map((monitor, index): Found => {
    const idIn = (list: Ids, name: string | undefined, noun: 'topic' | 'competitor') => {
      if (name === undefined) return null
      const found = list.get(sameName(name))
      if (found !== undefined) return found
      throw file.wrong([...path, index, noun], `names no ${noun} of the project`)
    }
    const byName = new Map(rivals.map((rival) => [sameName(rival.name), rival.id]))
    return {
      monitor,
      kind: kindOf(monitor),
      topicId: idIn(topics, monitor.topic, 'topic'),
      platform: monitor.platform ?? null,
      competitorId: idIn(byName, monitor.competitor, 'competitor'),
    }
  })
  const own = monitors.filter(({ isOwn }) => isOwn)
  const isSame = (a: Found, b: Known) =>
    a.kind === b.kind && a.topicId === b.topicId && a.platform === b.platform
  for (const gone of own.filter((each) => !all.some((found) => isSame(found, each)))) {
    const topic = known.find((each) => each.id === gone.topicId)?.name
    const what = nameOf(wordFor(monitorWords, gone.kind), gone.platform ?? topic)
    await make(work, { ...place, path, action: 'remove', what }, () =>
      removeMonitor(tx, actor, { projectId: id, monitorId: gone.id }),
    )
  }
  for (const [index, found] of all.entries()) {
    const at = [...path, index]
    const { monitor, kind, platform, topicId, competitorId } = found
    const { enabled, weight } = monitor
    const what = nameOf(monitor.kind, platform ?? monitor.topic ?? monitor.competitor)
    const isOwn = platform !== null || topicId !== null
    const standardId = monitorId(id, kind, competitorId)
    const before = isOwn
      ? own.find((each) => isSame(found, each))
      : monitors.find((each) => each.id === standardId)
    let target = before?.id ?? standardId
    if (isOwn && !before) {
      const ownKind = kind === 'visibility.fell' ? kind : ('visibility.rose' as const)
      const added = await make(work, { ...place, path: at, action: 'add', what }, () =>
        addMonitor(tx, actor, id, { kind: ownKind, platform, topicId, weight }),
      )
      target = added.monitor.id
      if (enabled !== false) continue
    }
    const usual = { isEnabled: true, weight: isOwn ? weight : null }
    const { isEnabled, weight: part } = before ?? usual
    const fields = differing({ enabled: isEnabled, weight: part }, { enabled, weight })
    if (fields.length === 0) continue
    await make(work, { ...place, path: at, action: 'change', what, fields }, () =>
      updateMonitor(
        tx,
        actor,
        { projectId: id, monitorId: target },
        { isEnabled: enabled, weight },
      ),
    )
  }
}
