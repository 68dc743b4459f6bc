import type { Grant } from '../../core/access.ts'

/** The grant that a field needs, and of which project. Every root field and every `Project` field has a rule. */
export interface AccessRule {
  readonly grant: Grant
  /**
   * Where the project comes from: the field's `projectId` argument (`id` for `project`), the parent
   * object, or nowhere, for a field about no single project.
   */
  readonly project: 'argument' | 'parent' | 'none'
  /**
   * For what belongs to a workspace as a whole: the field's `workspaceId` argument, or the parent object.
   * Only an unbound key of that very workspace passes.
   */
  readonly workspace?: 'argument' | 'parent'
  /** What is open on an inactive project too: its place in a list, and what switches it on again. */
  readonly inactive?: 'shown'
}
