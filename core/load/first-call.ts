/** Loads a handler with its first request, so that a start does not wait for it. */
export function onFirstCall<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
) {
  let loaded: ReturnType<typeof load> | undefined
  return async (...args: Args): Promise<Result> => {
    loaded ??= load()
    return (await loaded)(...args)
  }
}
