/** True in the soak (`npm run test:soak`), which repeats by the dozen and loads by the hundred thousand. */
export const isSoak = Boolean(process.env.SOAK)

/** The size of a repetition: small in the normal run, large in the soak. */
export function sized<T>({ normal, soak }: { normal: T; soak: T }): T {
  return isSoak ? soak : normal
}
