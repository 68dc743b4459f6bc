import type { TestApi, TestWorkspace } from './api.ts'

/** What a mutation is called on: rows that nothing else needs, so that it may change or remove them. */
export interface MutationRows {
  /** The project for `deleteProject`. */
  readonly doomed: string
  /** The arguments of a mutation beside its project or workspace; absent where it takes none of note. */
  readonly argumentsOf: Readonly<Record<string, string>>
}

/** Makes the rows, most of them in `projectId`. */
export async function makeMutationRows(
  { db }: TestApi,
  workspace: TestWorkspace,
  projectId: string,
): Promise<MutationRows> {
  const rival = (name: string) =>
    db.competitor.create({ data: { projectId, name, domain: `${name.toLowerCase()}.org` } })
  const topic = (name: string) => db.topic.create({ data: { projectId, name } })
  const place = { projectId, label: 'bonn, , de', countryCode: 'DE', city: 'Bonn' }
  const member = (email: string) =>
    db.user.create({
      data: { email, name: email, memberships: { create: { workspaceId: workspace.id } } },
    })
  const [kept, removed, old, unused, location] = await Promise.all([
    rival('Kept'),
    rival('Removed'),
    topic('Old'),
    topic('Unused'),
    db.location.create({ data: place }),
  ])
  await db.competitorAlias.create({ data: { competitorId: kept.id, text: 'Keep Ltd' } })
  await db.brandAlias.create({ data: { projectId, text: 'Acme Ltd' } })
  await db.ownDomain.create({ data: { projectId, domain: 'acme.org' } })
  const changing = await member(`changing@${workspace.id}.test`)
  const leaving = await member(`leaving@${workspace.id}.test`)
  const [revoked, rotated] = [await workspace.key(), await workspace.key()]
  const named = (name: string, id: string) => `${name}: "${id}"`
  return {
    doomed: await workspace.project(),
    argumentsOf: {
      updateProject: 'industry: "Anvils"',
      addBrandAlias: 'text: "Acme Inc"',
      removeBrandAlias: 'text: "Acme Ltd"',
      addOwnDomain: 'domain: "acme.net"',
      removeOwnDomain: 'domain: "acme.org"',
      addCompetitor: 'name: "Added", domain: "added.org"',
      updateCompetitor: `${named('competitorId', kept.id)}, name: "Kept still"`,
      removeCompetitor: named('competitorId', removed.id),
      addCompetitorAlias: `${named('competitorId', kept.id)}, text: "Keep Inc"`,
      removeCompetitorAlias: `${named('competitorId', kept.id)}, text: "Keep Ltd"`,
      addTopic: 'name: "Added"',
      renameTopic: `${named('topicId', old.id)}, name: "New"`,
      removeTopic: named('topicId', unused.id),
      addLocation: 'place: "Berlin, Germany"',
      removeLocation: named('locationId', location.id),
      addMember: `email: "added@${workspace.id}.test"`,
      changeMemberRole: `${named('userId', changing.id)}, role: admin`,
      removeMember: named('userId', leaving.id),
      revokeKey: named('keyId', revoked.id),
      rotateKey: named('keyId', rotated.id),
    },
  }
}
