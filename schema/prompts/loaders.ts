import DataLoader from 'dataloader'
import {
  type Attached,
  loadAttached,
  loadPrompts,
  loadRevisions,
  type PromptRevision,
  type PromptRow,
} from '../../resolvers/prompts/prompts.ts'
import type { Context } from '../kit/context.ts'

interface PromptLoaders {
  readonly prompt: DataLoader<string, PromptRow | null>
  readonly attached: DataLoader<string, Attached>
  readonly revisions: DataLoader<string, PromptRevision[]>
}

const loadersOf = new WeakMap<Context, PromptLoaders>()

/** By prompt. They batch, but remember nothing: one request may change a prompt and read it, several times over. */
export function promptLoaders(context: Context): PromptLoaders {
  const existing = loadersOf.get(context)
  if (existing) return existing
  const { db } = context.services
  const once = { cache: false }
  const made: PromptLoaders = {
    prompt: new DataLoader((ids) => loadPrompts(db, ids), once),
    attached: new DataLoader((ids) => loadAttached(db, ids), once),
    revisions: new DataLoader((ids) => loadRevisions(db, ids), once),
  }
  loadersOf.set(context, made)
  return made
}

const attachedOf = new WeakMap<PromptRow, Promise<Attached>>()

/** What hangs on a prompt, read once for all fields that one answer shows of it. */
export function attached(context: Context, row: PromptRow): Promise<Attached> {
  const known = attachedOf.get(row)
  if (known) return known
  const loading = promptLoaders(context).attached.load(row.id)
  attachedOf.set(row, loading)
  return loading
}
