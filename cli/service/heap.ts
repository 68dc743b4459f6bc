/**
 * V8 lets the heap grow with the memory of the machine. On one of 24 GB the API took 900 MB for 30,000 requests that
 * mean harm. Within this bound V8 collects more often. Large answers still fit: they share 40 MB.
 */
export const apiHeap: readonly string[] = ['--max-old-space-size=400']
