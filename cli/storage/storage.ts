/** A folder, or a bucket of S3-compatible storage. Names of files are relative, with `/`. */
export interface Storage {
  /** The place for people, without a secret. */
  readonly place: string
  /** Replaces a file. It is absent or complete for those who read. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** The bytes of a file; null when there is none. */
  read(name: string): Promise<Buffer | null>
  /** Removes a file, if there is one. */
  remove(name: string): Promise<void>
}
