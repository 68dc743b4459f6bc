import { Fault } from '../../core/errors.ts'

/** The fault that the call throws, undefined when it throws none. Any other error passes through. */
export function faultOf(call: () => unknown): Fault | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}
