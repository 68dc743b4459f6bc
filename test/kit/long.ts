/** True in the long run (`npm run test:long`), which repeats by the dozen and loads by the hundred thousand. */
const isLong = Boolean(process.env.LONG)

/** The size of a repetition: small in the normal run, large in the long run. */
export function sized<T>({ normal, long }: { normal: T; long: T }): T {
  return isLong ? long : normal
}
