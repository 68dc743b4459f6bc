import { keyCost } from '../../core/collecting/providers/cost.ts'
import { modelsOf } from '../../core/collecting/providers/request.ts'
import { Fault, invalid } from '../../core/errors.ts'
import { questionKey } from '../../core/question.ts'
import type { Proposals, ProposedPrompt } from '../../core/setup/proposals.ts'
import type { PrivateHost } from '../../core/sites/private-hosts.ts'
import { storedAs } from '../../core/stored-json.ts'
import { isUuid } from '../../core/uuid.ts'
import type { Db } from '../../prisma/client.ts'
import type { JobStatus, SetupStep } from '../../prisma/generated/client.ts'
import type { Actor } from '../shared/audit-trail.ts'
import { changeProject, type ProjectChangeResult } from '../shared/change.ts'
import { sendJob } from '../shared/jobs.ts'
import { requireDomain, requireRunnable } from '../shared/runnable.ts'

/** The set-up of a project, and what was proposed for it. */
export interface Setup {
  readonly projectId: string
  readonly step: SetupStep
  /** Of the job that makes proposals; null where none was asked for. */
  readonly status: JobStatus | null
  readonly asksModel: boolean
  readonly problem: string | null
  readonly pagesRead: number
  readonly proposals: Proposals | null
}

/** The set-ups of projects in the order of their ids; null for projects that were made without one. */
export async function loadSetups(db: Db, ids: readonly string[]): Promise<(Setup | null)[]> {
  const rows = await db.projectSetup.findMany({ where: { projectId: { in: [...ids] } } })
  return ids.map((id) => {
    const row = rows.find(({ projectId }) => projectId === id)
    if (!row) return null
    const { projectId, step, status, askedKeyId, problem, pagesRead } = row
    const proposals = storedAs<Proposals | null>(row.proposals)
    return {
      projectId,
      step,
      status,
      asksModel: askedKeyId !== null,
      problem,
      pagesRead,
      proposals,
    }
  })
}

/** A proposed prompt, and whether the project has it by now. */
export type OfferedPrompt = ProposedPrompt & { readonly isTracked: boolean }

/** Finds the prompts of a project that ask some questions, by the keys of the questions. */
type FindByQuestion = (
  db: Db,
  projectId: string,
  keys: readonly string[],
) => Promise<readonly { readonly key: string }[]>

/** The proposed prompts of a project. */
export async function offeredPrompts(
  db: Db,
  projectId: string,
  prompts: readonly ProposedPrompt[],
  find: FindByQuestion,
): Promise<OfferedPrompt[]> {
  const keys = prompts.map(({ text }) => questionKey(text))
  const known = new Set((await find(db, projectId, keys)).map(({ key }) => key))
  return prompts.map((prompt, at) => ({ ...prompt, isTracked: known.has(keys[at] ?? '') }))
}

/** What a project has spent and may spend, in US dollars. */
type Spend = (
  db: Db,
  ids: readonly string[],
  now: Date,
) => Promise<
  readonly {
    readonly today: number
    readonly thisMonth: number
    readonly dayCap: number | null
    readonly monthCap: number | null
  }[]
>

interface Asked {
  readonly projectId: string
  readonly workspaceId: string
  readonly keyId: string
}

/** @throws {Fault} `invalid_argument` for a key that is not there, is no model, or does not fit under a cap */
async function requireModel(tx: Db, { projectId, workspaceId, keyId }: Asked, spend: Spend) {
  const where = { id: keyId, workspaceId }
  const select = { provider: true, model: true, unitPrice: true } as const
  const key = isUuid(keyId) ? await tx.providerKey.findFirst({ where, select }) : null
  if (!key) throw invalid('providerKeyId', 'must be the id of a provider key of the workspace')
  if (modelsOf(key.provider)) {
    throw invalid('providerKeyId', 'must be the key of a provider with a model that writes')
  }
  const [spending] = await spend(tx, [projectId], new Date())
  if (!spending || (spending.dayCap === null && spending.monthCap === null)) return
  const { today, thisMonth, dayCap, monthCap } = spending
  const cost = await keyCost(key)
  const rest = Math.min((dayCap ?? Infinity) - today, (monthCap ?? Infinity) - thisMonth)
  if (cost !== null && cost <= rest) return
  throw new Fault('invalid_argument', 'The answer of the model does not fit under a spending cap.')
}

const retryAfterSeconds = 5

/**
 * Asks the worker for proposals: of the brand's own site, or of a model. Proposals of before stay until it has them.
 * @param providerKeyId the key of the model; absent: the site is read
 * @throws {Fault} `not_found`; `project_not_runnable`; `no_domain`; `invalid_argument`; `rate_limited` while one is made
 */
export function proposeSetup(
  {
    db,
    privateHosts,
    spend,
  }: { readonly db: Db; readonly privateHosts: readonly PrivateHost[]; readonly spend: Spend },
  actor: Actor,
  projectId: string,
  providerKeyId: string | null,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, project) => {
    const { id, workspaceId } = project
    requireRunnable(project)
    requireDomain(project, privateHosts)
    if (providerKeyId !== null) {
      await requireModel(tx, { projectId: id, workspaceId, keyId: providerKeyId }, spend)
    }
    const before = await tx.projectSetup.findUnique({ where: { projectId: id } })
    if (before?.status === 'queued' || before?.status === 'running') {
      throw new Fault('rate_limited', `Proposals of the project are ${before.status}.`, {
        headers: { 'Retry-After': String(retryAfterSeconds) },
      })
    }
    const data = {
      status: 'queued' as const,
      askedKeyId: providerKeyId,
      problem: null,
      ...(providerKeyId === null && { pagesRead: 0 }),
    }
    await tx.projectSetup.upsert({
      where: { projectId: id },
      create: { projectId: id, ...data },
      update: data,
    })
    await sendJob(tx, 'setup', { projectId: id })
    const after = { reads: providerKeyId === null ? 'site' : 'model' }
    return { subjectId: id, edits: [{ action: 'setup.propose', subject: ['setup', id], after }] }
  })
}

/**
 * Notes which step of its set-up a project is at, so that people go on there.
 * @throws {Fault} `not_found`
 */
export function setSetupStep(
  db: Db,
  actor: Actor,
  projectId: string,
  step: SetupStep,
): Promise<ProjectChangeResult> {
  return changeProject(db, actor, projectId, async (tx, { id }) => {
    const before = await tx.projectSetup.findUnique({ where: { projectId: id } })
    if (before?.step === step) return { subjectId: id, edits: [] }
    await tx.projectSetup.upsert({
      where: { projectId: id },
      create: { projectId: id, step },
      update: { step },
    })
    const states = { ...(before && { before: { step: before.step } }), after: { step } }
    return { subjectId: id, edits: [{ action: 'setup.step', subject: ['setup', id], ...states }] }
  })
}
