/** Limits of the connections to one port. */
export interface ConnectionLimits {
  readonly all: number
  readonly perAddress: number
  /** Addresses that stand for many clients: they may take all places. */
  readonly isShared?: (address: string) => boolean
}

/** The limit that refuses a connection. */
export type RefusedBy = 'all' | 'perAddress'

export interface Places {
  /** Takes a place. Returns its release, or the limit that refuses it. */
  take(address: string): (() => void) | RefusedBy
  /** The places that are taken. */
  open(): number
}

/** Counts the open connections of a port, and of each address. */
export function createPlaces(limits: ConnectionLimits): Places {
  const byAddress = new Map<string, number>()
  let open = 0
  return {
    open: () => open,
    take(address) {
      const held = byAddress.get(address) ?? 0
      if (held >= limits.perAddress && !limits.isShared?.(address)) return 'perAddress'
      if (open >= limits.all) return 'all'
      open++
      byAddress.set(address, held + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        open--
        const left = (byAddress.get(address) ?? 1) - 1
        if (left === 0) byAddress.delete(address)
        else byAddress.set(address, left)
      }
    },
  }
}
