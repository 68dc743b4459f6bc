import type { Catalog } from '../prisma/client.ts'
import { createAudit } from '../resolvers/audits/create.ts'
import { commandLine } from '../resolvers/shared/audit-trail.ts'
import { jobScope } from '../resolvers/shared/job-scope.ts'
import type { Warehouse } from '../warehouse/client.ts'

/** Requests the first audit of the demonstration, which the worker does. A second call changes nothing. */
export async function requestDemoAudit(
  { db, warehouse }: { readonly db: Catalog; readonly warehouse: Warehouse },
  projectId: string,
): Promise<void> {
  const scope = await jobScope({ db, warehouse }, projectId, new Date())
  if (!scope || (await db.audit.count({ where: { projectId } })) > 0) return
  await createAudit(scope, commandLine, {}, [])
}
