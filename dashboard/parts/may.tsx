import type { ReactNode } from 'react'
import { type Needing, useMay } from '../state/may.ts'

/** Shows what makes a change only to those who may make it. */
export function May({ make, children }: { readonly make: Needing; readonly children: ReactNode }) {
  const may = useMay()
  return may(make) && children
}
