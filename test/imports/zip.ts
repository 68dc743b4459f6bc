import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of these files, as PKWARE's APPNOTE 4.3 lays it out. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const whole = Buffer.from(content)
    const packed = deflateRawSync(whole)
    const title = Buffer.from(name)
    const shared = Buffer.alloc(26)
    // Version 2.0, names in UTF-8, deflated, no time.
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x0800, 2)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt16LE(0x21, 8)
    shared.writeUInt32LE(crc32(whole), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(whole.length, 18)
    shared.writeUInt16LE(title.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    parts.push(Buffer.from('PK\x03\x04'), shared, title, packed)
    directory.push(Buffer.from('PK\x01\x02\x14\0'), shared, place, title)
    offset += 4 + shared.length + title.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end])
}
