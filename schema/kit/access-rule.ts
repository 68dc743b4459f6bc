import type { Grant } from '../../core/access.ts'

/** The grant that a field needs, and of which project. Every root field, every `Project` field and every report
 * of a slice has a rule. */
export interface AccessRule {
  readonly grant: Grant
  /**
   * Where the project comes from. `argument`: the field's `projectId`, or `id`. `parent`: the parent object. `owner`: the
   * `projectId` of the parent object. `none`: the field is about no single project.
   */
  readonly project: 'argument' | 'parent' | 'owner' | 'none'
  /**
   * For what belongs to a workspace as a whole: the field's `workspaceId` or `id`, or the parent object.
   * Only an unbound key of that very workspace passes.
   */
  readonly workspace?: 'argument' | 'parent'
  /** Members, API keys and the audit trail of a workspace, and the end of a project: an editor has no right to them, whatever the key. */
  readonly role?: 'owner'
  /** What is open on an inactive project too: its place in a list, and what switches it on again. */
  readonly inactive?: 'shown'
}
