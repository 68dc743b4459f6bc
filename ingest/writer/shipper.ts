import { rm } from 'node:fs/promises'
import type { Log } from '../../core/log.ts'
import { countRows, deliver } from '../../warehouse/delivery.ts'
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
import { writeDeadLetter } from './dead-letter.ts'

/** A frame of a full group commit fits. */
const batchBytes = 8 * 2 ** 20 + 8

/** The conditions of a step. */
export interface Attempt {
  /** An earlier attempt may have done the step, in part or whole. */
  readonly isRetry: boolean
  readonly signal: AbortSignal
}

/** Writes the log to the warehouse, step by step. Repeat a step that throws. */
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
   * Does the step after the checkpoint, and saves its progress there.
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
    // A log that opens a segment never appends to an older one.
    const isFinal = segment !== sequences.at(-1)
    const next = await lookAhead(this.#dir, at, { maxBytes: batchBytes, isFinal })
    return this.#begin(next, { at, isFinal, ...attempt })
  }

  async #begin(next: Next, where: Attempt & { at: Position; isFinal: boolean }): Promise<boolean> {
    const { segment } = where.at
    if (next.kind === 'frames') {
      const pieces = [next.range]
      await this.#save({ batch: { segment, frames: next.range, pieces, attempt: 1 } })
      return true
    }
    if (next.kind === 'damage') {
      await this.#skip(next.range, { ...where, isTorn: next.isTorn })
      return true
    }
    if (where.isFinal) await this.#save({ shipped: { segment: segment + 1, offset: 0 } })
    return where.isFinal
  }

  async #skip(range: Range, where: Attempt & { at: Position; isTorn: boolean }): Promise<void> {
    const { at, isTorn, isRetry } = where
    const { aside: deadLetters } = this.#file.current
    this.#log.warn(
      { ...at, bytes: range[1] - range[0] },
      isTorn ? 'An incomplete write is skipped.' : 'Damaged bytes of the log become a dead letter.',
    )
    if (!isTorn) {
      const base64 = (await readDamage(this.#dir, at.segment, range)).toString('base64')
      const letter = { ...at, reason: 'The bytes are damaged.', base64 }
      await writeDeadLetter(this.#dir, letter, isRetry)
    }
    const damaged = deadLetters.damaged + (isTorn ? 0 : 1)
    const shipped = { segment: at.segment, offset: range[1] }
    await this.#save({ shipped, aside: { ...deadLetters, damaged } })
  }

  /** Sends the next piece of a batch. */
  async #send(batch: Batch, { isRetry, signal }: Attempt): Promise<void> {
    const [piece = batch.frames] = batch.pieces
    const part = await readPart(this.#dir, batch.segment, batch.frames)
    const lines = rowsWithin(part, piece)
    const token = `${this.#file.current.id}:${batch.segment}:${piece.join('-')}:${batch.attempt}`
    try {
      const isStored =
        lines.length === 0 ||
        (await deliver(this.#warehouse, { lines, token, isAgain: isRetry, signal }))
      if (isStored) {
        this.#rows += countRows(lines)
        await this.#finishPiece(batch)
      } else {
        await this.#save({ batch: { ...batch, attempt: batch.attempt + 1 } })
      }
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      await this.#refuse(batch, { part, piece, reason: error.message, isRetry })
    }
  }

  /** Splits a refused piece in halves until the faulty row is alone. That row becomes a dead letter. */
  async #refuse(
    batch: Batch,
    refused: { part: Part; piece: Range; reason: string; isRetry: boolean },
  ): Promise<void> {
    const { part, piece, reason, isRetry } = refused
    const cut = halves(part, piece)
    if (cut !== undefined) {
      const pieces = [...cut, ...batch.pieces.slice(1)]
      await this.#save({ batch: { ...batch, pieces, attempt: 1 } })
      return
    }
    const at = { segment: batch.segment, offset: firstRow(part, piece) }
    const row = rowsWithin(part, piece).toString().trimEnd()
    this.#log.warn(at, 'A row that the warehouse refuses becomes a dead letter.')
    await writeDeadLetter(this.#dir, { ...at, reason, row }, isRetry)
    const { aside: deadLetters } = this.#file.current
    await this.#finishPiece(batch, { aside: { ...deadLetters, rows: deadLetters.rows + 1 } })
  }

  #finishPiece(batch: Batch, change: Partial<Checkpoint> = {}): Promise<void> {
    const pieces = batch.pieces.slice(1)
    if (pieces.length > 0) return this.#save({ ...change, batch: { ...batch, pieces, attempt: 1 } })
    const shipped = { segment: batch.segment, offset: batch.frames[1] }
    return this.#save({ ...change, batch: null, shipped })
  }

  #save(change: Partial<Checkpoint>): Promise<void> {
    return this.#file.save({ ...this.#file.current, ...change })
  }
}
