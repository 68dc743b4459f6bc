/** Loads a handler with its first request, so that a start does not wait for it. */
export function onFirstCall<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => void | Promise<void>>,
) {
  let loaded: ReturnType<typeof load> | undefined
  return async (...args: Args) => {
    loaded ??= load()
    return (await loaded)(...args)
  }
}
