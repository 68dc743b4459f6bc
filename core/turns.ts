/** A turn did not come in time. */
export class TurnLate extends Error {
  constructor(name: string) {
    super(`No turn for "${name}" in time.`)
    this.name = 'TurnLate'
  }
}

/** Hands the turn back; a second call does nothing. */
export type GiveBack = () => void

export interface TurnsOptions {
  /** Turns at a time. */
  readonly total: number
  /** Turns of one name at a time, at most. Work without a name (`''`) may take all. */
  readonly perName: number
}

type Granted = () => void

/**
 * Turns that names share. No name has more than its part, and of the names that wait the one with the fewest turns is
 * next. So the waits of one name delay no other name.
 */
export class Turns {
  readonly #options: TurnsOptions
  /** Names in the order of their last turn. */
  readonly #waiting = new Map<string, Set<Granted>>()
  readonly #running = new Map<string, number>()
  #free: number

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#free = options.total
  }

  /** @throws {TurnLate} after `waitMs` */
  async take(name: string, waitMs: number): Promise<GiveBack> {
    const queue = this.#waiting.get(name) ?? new Set<Granted>()
    if (queue.size > 0 || !this.#isFree(name)) await this.#wait(name, queue, waitMs)
    else this.#begin(name)
    let isTaken = true
    return () => {
      if (isTaken) this.#end(name)
      isTaken = false
    }
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #isFree(name: string): boolean {
    const { total, perName } = this.#options
    const most = name === '' ? total : perName
    return this.#free > 0 && (this.#running.get(name) ?? 0) < most
  }

  #begin(name: string): void {
    this.#free--
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1)
  }

  #end(name: string): void {
    this.#free++
    const left = (this.#running.get(name) ?? 1) - 1
    if (left === 0) this.#running.delete(name)
    else this.#running.set(name, left)
    this.#next()
  }

  #wait(name: string, queue: Set<Granted>, waitMs: number): Promise<void> {
    this.#waiting.set(name, queue)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(granted)
        if (queue.size === 0) this.#waiting.delete(name)
        reject(new TurnLate(name))
      }, waitMs)
      const granted = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.add(granted)
    })
  }

  #next(): void {
    const running = (name: string) => this.#running.get(name) ?? 0
    const [name] = [...this.#waiting.keys()]
      .filter((waiting) => this.#isFree(waiting))
      .sort((a, b) => running(a) - running(b))
    const queue = this.#waiting.get(name ?? '')
    const [granted] = queue ?? []
    if (name === undefined || !queue || !granted) return
    queue.delete(granted)
    this.#waiting.delete(name)
    if (queue.size > 0) this.#waiting.set(name, queue)
    this.#begin(name)
    granted()
  }
}
