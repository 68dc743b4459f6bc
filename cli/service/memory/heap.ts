/**
 * What bounds the memory of each process. glibc keeps freed memory in an arena for each thread, and Node.js has a dozen
 * threads. Two arenas save a tenth of an idle worker.
 */
export const partMemory = { MALLOC_ARENA_MAX: '2' } as const

/** What bounds the memory of a process of the API. V8 lets its heap grow with the memory of the machine. */
export const apiMemory = {
  /**
   * Large answers still fit: they share 40 MB. Young objects have 16 MB and a copy, where V8 would keep 128 MB that
   * stand empty.
   */
  execArgv: ['--max-old-space-size=320', '--max-semi-space-size=16'],
  /** What is larger than 128 kB is a mapping of its own, which ends with its use. */
  env: {
    ...partMemory,
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
}
