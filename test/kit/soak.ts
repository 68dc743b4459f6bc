/** True in the soak (`npm run test:soak`), which repeats by the dozen and loads by the hundred thousand. */
export const isSoak = Boolean(process.env.SOAK)

/** Cases of one statement: the normal run takes some of them, from the whole length of the list, and the soak all. */
export function sampled<T>(cases: readonly T[], normal = 3): T[] {
  const step = isSoak ? 1 : Math.max(1, cases.length / normal)
  return Array.from(
    { length: Math.ceil(cases.length / step) },
    (_, i) => cases[Math.floor(i * step)] as T,
  )
}

/** The size of a repetition: small in the normal run, large in the soak. */
export function sized<T>({ normal, soak }: { normal: T; soak: T }): T {
  return isSoak ? soak : normal
}
