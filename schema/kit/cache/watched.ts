import type { Services } from '../context.ts'

type Snapshots = Services['snapshots']

/** A snapshot that a reading has set for later pages, with its key. */
export type SetSnapshot = readonly [key: string, snapshot: Parameters<Snapshots['set']>[1]]

/** Services that note what is read of them. */
export interface Watched {
  readonly services: Services
  /** Whether all that was read stays as it is while the versions of the project's data stay. */
  isSettled(): boolean
  readonly snapshots: readonly SetSnapshot[]
  /** Sets the snapshots again. */
  replay(): void
}

/** Watches what one request reads, to learn whether its reply may be kept. */
export function watched(services: Services): Watched {
  let settled = true
  const set: SetSnapshot[] = []
  const onChangeable = () => {
    settled = false
  }
  const snapshots: Snapshots = {
    get(key) {
      // A later page shows the snapshot of its first page, whatever the versions say.
      onChangeable()
      return services.snapshots.get(key)
    },
    set(key, snapshot) {
      set.push([key, snapshot])
      services.snapshots.set(key, snapshot)
    },
  }
  const warehouseFor: Services['warehouseFor'] = (reader) => ({
    ...services.warehouseFor(reader),
    onChangeable,
  })
  return {
    services: { ...services, snapshots, warehouseFor },
    isSettled: () => settled,
    snapshots: set,
    replay() {
      for (const [key, snapshot] of set) services.snapshots.set(key, snapshot)
    },
  }
}
