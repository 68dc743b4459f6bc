import type { Ratio } from '../../../core/metrics.ts'
import type { Asked } from '../asked.ts'
import { type Dimension, type MeasureName, measureFor } from './measures.sql.ts'

/** Which answers a row counts. The answers behind its ratios are read again from it, when an interval is asked for. */
export interface Cell {
  readonly projectId: string
  readonly asked: Asked
  readonly by: Dimension
  /** The value of the dimension; empty for the whole window. */
  readonly value: string
  /** The brand, domain or other object that is counted; empty for the own brand. */
  readonly object: string
}

/** A ratio, and where to find the answers behind it. */
export interface Measured extends Ratio {
  readonly sampled?: { readonly cell: Cell; readonly measure: MeasureName }
}

/** The ratio with where to find the answers behind it; as it is where nobody knows. */
export function measured(ratio: Ratio, measure: MeasureName, cell: Cell | undefined): Measured {
  return cell ? { ...ratio, sampled: { cell, measure: measureFor(measure, cell.object) } } : ratio
}

/** A row that knows its answers. */
export interface InCell {
  readonly cell?: Cell | undefined
}

/** The same answers, of one topic alone. */
export function ofTopic(cell: Cell, id: string): Cell {
  return { ...cell, asked: { ...cell.asked, slice: { by: 'topic', id } } }
}

/** All answers of the window. */
export function wholeCell(projectId: string, asked: Asked, object = ''): Cell {
  return { projectId, asked, by: 'window', value: '', object }
}
