import type { SetupQuery } from '../../documents.ts'
import type { PageProps } from '../../parts/page.ts'
import type { Step } from './steps.tsx'

export type Found = NonNullable<SetupQuery['project']>

/** A project that is set up. */
export interface SetupPart extends PageProps {
  readonly found: Found
}

/** What a step has to go on. */
export interface StepPart extends SetupPart {
  /** Notes the step on the service, and opens it. */
  go(step: Step): Promise<void>
}
