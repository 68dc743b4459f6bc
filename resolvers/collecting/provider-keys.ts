import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { knownModels } from '../../core/collecting/providers/models.ts'
import {
  type AskedProvider,
  modelsOf,
  type ProviderAccess,
  providerTerms,
} from '../../core/collecting/providers/request.ts'
import { openSecret, sealSecret } from '../../core/collecting/providers/sealed.ts'
import { isService, surfaceNames } from '../../core/collecting/providers/surfaces/names.ts'
import { surfacesOf } from '../../core/collecting/providers/surfaces/services.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { Actor, Edit } from '../shared/audit-trail.ts'
import { groupByWorkspace } from '../shared/by-project.ts'
import { changeWorkspace, type WorkspaceChangeResult } from '../shared/change.ts'
import { check, label } from '../shared/inputs.ts'

/** What is shown of a provider key: all but its secret. */
const shown = {
  id: true,
  workspaceId: true,
  provider: true,
  label: true,
  baseUrl: true,
  model: true,
  surfaces: true,
  unitPrice: true,
  workedAt: true,
  refusedAt: true,
  refusal: true,
  createdAt: true,
  updatedAt: true,
} as const

export type ProviderKeyRow = Awaited<ReturnType<typeof loadProviderKeys>>[number][number]

const baseUrl = z
  .string()
  .trim()
  .max(500, 'must have at most 500 characters')
  .refine((text) => {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol)) return false
    return `${url.username}${url.password}${url.search}${url.hash}` === ''
  }, 'must be an http(s) URL without password, query and fragment, such as `https://api.deepseek.com/v1`')
  .transform((text) => text.replace(/\/+$/, ''))

/** US dollars of a credit, a record or a result. */
const mostUnitPrice = 100

const keySchema = z.object({
  label: label.nullish(),
  model: label.nullish(),
  baseUrl: baseUrl.nullish(),
  surfaces: z.array(z.enum(surfaceNames)).max(surfaceNames.length).nullish(),
  unitPrice: z.number().min(0).max(mostUnitPrice).nullish(),
})

const addressSchema = keySchema.pick({ baseUrl: true })

export interface ProviderKeyInput extends z.input<typeof keySchema> {
  readonly provider: AskedProvider
  readonly secret: string
}

/** Provider keys of each workspace, the newest first, without their secrets. */
export async function loadProviderKeys(db: Db, workspaceIds: readonly string[]) {
  const rows = await db.providerKey.findMany({
    where: { workspaceId: { in: [...workspaceIds] } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    select: shown,
  })
  return groupByWorkspace(workspaceIds, rows)
}

/** Providers whose key is a login and a password. */
const pairs: ReadonlySet<AskedProvider> = new Set(['dataforseo', 'dataforseo_scraper', 'oxylabs'])

/** Never shows the value. Keys are sent in a header, or in the query of SerpApi. */
function readSecret(provider: AskedProvider, secret: string): string {
  const text = secret.trim()
  if (/^[\x21-\x7e]{1,500}$/.test(text)) {
    const isPair = pairs.has(provider)
    if (!isPair || /^[^:]+:./.test(text)) return text
    throw invalid('secret', 'must be the login and the password of the API, as `login:password`')
  }
  throw invalid('secret', 'must be 1 to 500 visible ASCII characters, without spaces')
}

const placeOf = ({ id, workspaceId }: { id: string; workspaceId: string }) => `${workspaceId}:${id}`

function accessFor(
  provider: AskedProvider,
  secret: string,
  given: { readonly baseUrl: string | null; readonly model: string | null },
): ProviderAccess {
  const terms = providerTerms[provider]
  const missing = (field: string) => invalid(field, 'is needed for a `compatible` provider')
  const address = given.baseUrl ?? terms.baseUrl
  if (address === null) throw missing('baseUrl')
  const model = given.model ?? terms.model
  if (model === null) throw missing('model')
  const models = modelsOf(provider)
  if (models && !models.includes(model)) {
    throw invalid('model', `must be one of ${models.join(', ')} for \`${provider}\``, model)
  }
  return { provider, secret, baseUrl: address, model }
}

/**
 * The surfaces that a key of a service asks, each once; none for other providers.
 * @throws {Fault} `invalid_argument`
 */
function readSurfaces(provider: AskedProvider, given: readonly string[], model: string | null) {
  if (!isService(provider)) {
    if (given.length > 0) throw invalid('surfaces', 'are those of a service: leave them out')
    return []
  }
  const known = surfacesOf(provider)
  const asked = given.length > 0 ? given : [model ?? providerTerms[provider].model ?? '']
  const missing = asked.find((name) => !known.some((one) => one === name))
  if (missing === undefined) return known.filter((name) => asked.includes(name))
  throw invalid('surfaces', `must be of ${known.join(', ')} for \`${provider}\``, missing)
}

const working = (workedAt: Date) => ({ workedAt, refusedAt: null, refusal: null })

/** Notes that a provider answered with a key. Of a key that is gone, nothing is noted. */
export async function noteWorking(db: Db, id: string): Promise<void> {
  await db.providerKey.updateMany({ where: { id }, data: working(new Date()) })
}

const mostRefusal = 500

/** Notes that a provider refuses a key, or its model. The time is that of the first refusal in a row. */
export async function noteRefused(db: Db, id: string, refusal: string): Promise<void> {
  const at = new Date()
  const text = refusal.slice(0, mostRefusal)
  await db.providerKey.updateMany({
    where: { id, refusedAt: null },
    data: { refusedAt: at, refusal: text },
  })
  await db.providerKey.updateMany({ where: { id }, data: { refusal: text } })
}

export interface SavedProviderKey extends WorkspaceChangeResult {
  readonly row: ProviderKeyRow
}

/**
 * Stores a key for a provider, encrypted, once the provider has answered with it. A key of the same label is replaced.
 * @param test asks the provider; its faults pass through
 * @throws {Fault} `invalid_argument`; `not_found` for the workspace
 */
export async function setProviderKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  { provider, secret: given, ...input }: ProviderKeyInput,
  {
    signingSecret,
    test,
  }: { readonly signingSecret: string; readonly test: (access: ProviderAccess) => Promise<void> },
): Promise<SavedProviderKey> {
  const found = check(keySchema, input)
  const { label: name, model = null, baseUrl: address = null, unitPrice = null } = found
  const surfaces = readSurfaces(provider, found.surfaces ?? [], model ?? null)
  const secret = readSecret(provider, given)
  const state = { provider, label: name ?? provider, baseUrl: address, model, surfaces, unitPrice }
  await test(accessFor(provider, secret, state))
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { workspaceId_label: { workspaceId, label: state.label } }
    const known = await tx.providerKey.findUnique({ where, select: shown })
    const id = known?.id ?? randomUUID()
    const sealed = sealSecret(signingSecret, placeOf({ id, workspaceId }), secret)
    const now = new Date()
    const data = { ...state, sealed, updatedAt: now, ...working(now) }
    const row = known
      ? await tx.providerKey.update({ where: { id }, data, select: shown })
      : await tx.providerKey.create({ data: { id, workspaceId, ...data }, select: shown })
    const before = known && {
      provider: known.provider,
      label: known.label,
      baseUrl: known.baseUrl,
      model: known.model,
      surfaces: known.surfaces,
      unitPrice: known.unitPrice,
    }
    const edit: Edit = {
      action: known ? 'providerKey.replace' : 'providerKey.add',
      subject: ['providerKey', id],
      ...(before ? { before } : {}),
      after: state,
    }
    return { subjectId: id, row, edits: [edit] }
  })
}

/**
 * Removes a key for a provider. Its secret is gone.
 * @throws {Fault} `not_found`
 */
export function removeProviderKey(
  db: Db,
  actor: Actor,
  workspaceId: string,
  keyId: string,
): Promise<WorkspaceChangeResult> {
  return changeWorkspace(db, actor, workspaceId, async (tx) => {
    const where = { id: keyId, workspaceId }
    const known = isUuid(keyId) ? await tx.providerKey.findFirst({ where, select: shown }) : null
    if (!known) throw notFound()
    const { id, provider, label: name } = known
    await tx.providerKey.delete({ where: { id } })
    const before = { provider, label: name }
    const edit: Edit = { action: 'providerKey.remove', subject: ['providerKey', id], before }
    return { subjectId: id, edits: [edit] }
  })
}

/** What a test call of a stored key found. */
export interface TestedProviderKey extends WorkspaceChangeResult {
  readonly row: ProviderKeyRow
  /** Why the key did not pass, in a sentence; null where it did. */
  readonly testProblem: string | null
}

async function requireKey(db: Db, workspaceId: string, id: string): Promise<ProviderKeyRow> {
  const found = isUuid(id)
    ? await db.providerKey.findFirst({ where: { id, workspaceId }, select: shown })
    : null
  if (!found) throw notFound()
  return found
}

/**
 * Tests a stored key by one call, and notes what came of it.
 * @throws {Fault} `not_found`, also where no signing secret opens the key
 */
export async function testProviderKey(
  db: Db,
  { workspaceId, keyId }: { readonly workspaceId: string; readonly keyId: string },
  {
    signingSecrets,
    test,
  }: {
    readonly signingSecrets: readonly [string, ...string[]]
    readonly test: (
      access: ProviderAccess,
    ) => Promise<{ readonly problem: string | null; readonly isRefused: boolean }>
  },
): Promise<TestedProviderKey> {
  const { id } = await requireKey(db, workspaceId, keyId)
  const access = await openProviderKey(db, id, signingSecrets)
  if (!access) throw notFound()
  const { problem: testProblem, isRefused } = await test(access)
  if (testProblem === null) await noteWorking(db, id)
  else if (isRefused) await noteRefused(db, id, testProblem)
  const row = await requireKey(db, workspaceId, id)
  return { subjectId: id, changed: false, row, testProblem }
}

/** A key to list the models of: one that is about to be stored, or a stored one. */
export interface ModelsInput {
  readonly provider: AskedProvider
  readonly secret?: string | null | undefined
  readonly keyId?: string | null | undefined
  readonly baseUrl?: string | null | undefined
}

/**
 * Models to choose from: those that the provider lists for a key, else those that are known.
 * @param list asks the provider; null where it has no list, or does not give it
 */
export async function providerModels(
  db: Db,
  workspaceId: string,
  { provider, secret, keyId, ...input }: ModelsInput,
  {
    signingSecrets,
    list,
  }: {
    readonly signingSecrets: readonly [string, ...string[]]
    readonly list: (access: Omit<ProviderAccess, 'model'>) => Promise<readonly string[] | null>
  },
): Promise<{ readonly models: readonly string[]; readonly isListed: boolean }> {
  const { baseUrl: address } = check(addressSchema, input)
  const stored =
    keyId && !secret
      ? await openProviderKey(db, (await requireKey(db, workspaceId, keyId)).id, signingSecrets)
      : null
  const own = secret ? readSecret(provider, secret) : stored?.secret
  const at = address ?? stored?.baseUrl ?? providerTerms[provider].baseUrl
  const listed = own && at ? await list({ provider, secret: own, baseUrl: at }) : null
  return listed
    ? { models: listed, isListed: true }
    : { models: await knownModels(provider), isListed: false }
}

/**
 * A stored key, ready to ask with. A key that an older signing secret sealed is sealed with the first one.
 * @returns null where the key is gone, or no signing secret opens it
 */
export async function openProviderKey(
  db: Db,
  keyId: string,
  signingSecrets: readonly [string, ...string[]],
): Promise<ProviderAccess | null> {
  const row = await db.providerKey.findUnique({ where: { id: keyId } })
  const opened = row && openSecret(signingSecrets, placeOf(row), row.sealed)
  if (!row || !opened) return null
  if (opened.isOld) {
    const sealed = sealSecret(signingSecrets[0], placeOf(row), opened.text)
    // Only the bytes that were opened: the key may have been replaced meanwhile.
    await db.providerKey.updateMany({ where: { id: row.id, sealed: row.sealed }, data: { sealed } })
  }
  return accessFor(row.provider, opened.text, row)
}
