import { rm } from 'node:fs/promises'
import { countRows, deliver } from '../../warehouse/delivery.ts'
import type { Log } from '../../warehouse/log.ts'
import { RefusedRows, type Warehouse } from '../../warehouse/run.ts'
import { listSegments, segmentPath } from '../log/segments.ts'
import {
  firstRow,
  halves,
  lookAhead,
  type Next,
  type Part,
  readDamage,
  readPart,
  rowsWithin,
} from './batches.ts'
import type { Batch, Checkpoint, CheckpointFile, Position, Range } from './checkpoint.ts'
import { putAside } from './dead-letter.ts'

/** A frame of what is gathered at once fits. */
const batchBytes = 8 * 2 ** 20 + 8

/** How a step is to be done. */
export interface Attempt {
  /** It may have been done before, in part or whole. */
  readonly isAgain: boolean
  readonly signal: AbortSignal
}

/** Brings the log into the warehouse, step by step; a step that throws is to be done again. */
export class Shipper {
  readonly #dir: string
  readonly #warehouse: Warehouse
  readonly #file: CheckpointFile
  readonly #log: Log
  #rows = 0

  constructor(parts: { dir: string; warehouse: Warehouse; file: CheckpointFile; log: Log }) {
    this.#dir = parts.dir
    this.#warehouse = parts.warehouse
    this.#file = parts.file
    this.#log = parts.log
  }

  /** Rows stored since the start. */
  get rows(): number {
    return this.#rows
  }

  /**
   * Does what the checkpoint says is next, and notes it there.
   * @returns false when there is nothing to do yet
   */
  async step(attempt: Attempt): Promise<boolean> {
    const { batch, shipped } = this.#file.current
    if (batch !== null) {
      await this.#send(batch, attempt)
      return true
    }
    const sequences = await listSegments(this.#dir)
    for (const old of sequences) {
      if (old < shipped.segment) await rm(segmentPath(this.#dir, old), { force: true })
    }
    const segment = sequences.find((sequence) => sequence >= shipped.segment)
    if (segment === undefined) return false
    const at = { segment, offset: segment === shipped.segment ? shipped.offset : 0 }
    // Whoever opens a segment is done with the one before.
    const isFinal = segment !== sequences.at(-1)
    const next = await lookAhead(this.#dir, at, { maxBytes: batchBytes, isFinal })
    return this.#begin(next, { at, isFinal, ...attempt })
  }

  async #begin(next: Next, where: Attempt & { at: Position; isFinal: boolean }): Promise<boolean> {
    const { segment } = where.at
    if (next.kind === 'frames') {
      const pieces = [next.range]
      await this.#note({ batch: { segment, frames: next.range, pieces, attempt: 1 } })
      return true
    }
    if (next.kind === 'damage') {
      await this.#skip(next.range, { ...where, isTorn: next.isTorn })
      return true
    }
    if (where.isFinal) await this.#note({ shipped: { segment: segment + 1, offset: 0 } })
    return where.isFinal
  }

  async #skip(range: Range, where: Attempt & { at: Position; isTorn: boolean }): Promise<void> {
    const { at, isTorn, isAgain } = where
    const { aside } = this.#file.current
    this.#log.warn(
      { ...at, bytes: range[1] - range[0] },
      isTorn ? 'A write that never ended is left out.' : 'Damaged bytes of the log are put aside.',
    )
    if (!isTorn) {
      const base64 = (await readDamage(this.#dir, at.segment, range)).toString('base64')
      await putAside(this.#dir, { ...at, reason: 'The bytes are damaged.', base64 }, isAgain)
    }
    const damaged = aside.damaged + (isTorn ? 0 : 1)
    const shipped = { segment: at.segment, offset: range[1] }
    await this.#note({ shipped, aside: { ...aside, damaged } })
  }

  /** Sends the first piece of what is left of a batch. */
  async #send(batch: Batch, { isAgain, signal }: Attempt): Promise<void> {
    const [piece = batch.frames] = batch.pieces
    const part = await readPart(this.#dir, batch.segment, batch.frames)
    const lines = rowsWithin(part, piece)
    const token = `${this.#file.current.id}:${batch.segment}:${piece.join('-')}:${batch.attempt}`
    try {
      const isStored =
        lines.length === 0 || (await deliver(this.#warehouse, { lines, token, isAgain, signal }))
      if (isStored) {
        this.#rows += countRows(lines)
        await this.#finishPiece(batch)
      } else {
        await this.#note({ batch: { ...batch, attempt: batch.attempt + 1 } })
      }
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      await this.#refuse(batch, { part, piece, reason: error.message, isAgain })
    }
  }

  /** Halves a piece that holds a row at fault, until that row is alone, and can be put aside. */
  async #refuse(
    batch: Batch,
    refused: { part: Part; piece: Range; reason: string; isAgain: boolean },
  ): Promise<void> {
    const { part, piece, reason, isAgain } = refused
    const cut = halves(part, piece)
    if (cut !== undefined) {
      const pieces = [...cut, ...batch.pieces.slice(1)]
      await this.#note({ batch: { ...batch, pieces, attempt: 1 } })
      return
    }
    const at = { segment: batch.segment, offset: firstRow(part, piece) }
    const row = rowsWithin(part, piece).toString().trimEnd()
    this.#log.warn(at, 'A row that the warehouse refuses is put aside.')
    await putAside(this.#dir, { ...at, reason, row }, isAgain)
    const { aside } = this.#file.current
    await this.#finishPiece(batch, { aside: { ...aside, rows: aside.rows + 1 } })
  }

  #finishPiece(batch: Batch, change: Partial<Checkpoint> = {}): Promise<void> {
    const pieces = batch.pieces.slice(1)
    if (pieces.length > 0) return this.#note({ ...change, batch: { ...batch, pieces, attempt: 1 } })
    const shipped = { segment: batch.segment, offset: batch.frames[1] }
    return this.#note({ ...change, batch: null, shipped })
  }

  #note(change: Partial<Checkpoint>): Promise<void> {
    return this.#file.save({ ...this.#file.current, ...change })
  }
}
