import type { Db } from '../../prisma/client.ts'

const aliases = {
  select: { text: true, caseSensitive: true },
  orderBy: { text: 'asc' },
} as const
const byName = [{ name: 'asc' as const }, { id: 'asc' as const }]

/** What a file can say of a workspace, as the catalog has it. */
export function readState(db: Db, workspaceId: string) {
  return db.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: {
      id: true,
      name: true,
      plan: true,
      projects: { select: { id: true, name: true, domain: true }, orderBy: byName },
      channels: {
        select: {
          id: true,
          name: true,
          kind: true,
          display: true,
          events: true,
          projectIds: true,
          state: true,
          digests: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
          reportSchedules: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
        },
        orderBy: byName,
      },
    },
  })
}

export type WorkspaceState = Awaited<ReturnType<typeof readState>>
export type ChannelState = WorkspaceState['channels'][number]

/** The same of a project. Prompts that came with answers of a file are no part of it. */
export async function readProjectState(db: Db, id: string) {
  const project = await db.project.findUniqueOrThrow({
    where: { id },
    include: {
      aliases,
      ownDomains: { select: { domain: true }, orderBy: { domain: 'asc' } },
      competitors: { include: { aliases }, orderBy: byName },
      topics: { select: { id: true, name: true }, orderBy: byName },
      locations: {
        select: { id: true, label: true, city: true, region: true, countryCode: true },
        orderBy: [{ label: 'asc' }],
      },
      prompts: {
        where: { isTracked: true, isImported: false },
        include: {
          topics: {
            select: { topic: { select: { id: true, name: true } } },
            orderBy: { position: 'asc' },
          },
        },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      },
      schedules: { orderBy: byName },
      monitors: { orderBy: { id: 'asc' } },
    },
  })
  // A schedule may name prompts that are no longer tracked.
  const asked = project.schedules.flatMap(({ promptIds }) => promptIds)
  const texts = await db.prompt.findMany({
    where: { projectId: id, id: { in: asked } },
    select: { id: true, text: true },
  })
  return { ...project, askedTexts: new Map(texts.map((prompt) => [prompt.id, prompt.text])) }
}

export type ProjectState = Awaited<ReturnType<typeof readProjectState>>
