/** A folder, or a bucket of S3-compatible storage. Names of files are relative, with `/`. */
export interface Storage {
  /** The place for people, without a secret. */
  readonly place: string
  /** Replaces a file. It is absent or complete for those who read. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Writes a new file as its bytes come, in little memory. In a folder, a reader may see a part of it. */
  writeStream(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes of a file; null when there is none. */
  read(name: string): Promise<Buffer | null>
  /** The bytes of a file as they come; null when there is none. */
  readStream(name: string): Promise<AsyncIterable<Uint8Array> | null>
  /** The names of all files, in any order. */
  list(): Promise<string[]>
  /** Removes a file, if there is one. */
  remove(name: string): Promise<void>
  /** Removes all files. */
  clear(): Promise<void>
  /** Makes the files that were written survive a power cut. */
  sync(): Promise<void>
}
