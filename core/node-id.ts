/** The id of an object that is unique in the service: its type, its project, and its key among the objects of the type. */
export const nodeIdOf = (type: string, projectId: string, key: string): string =>
  Buffer.from([type, projectId, key].join(':')).toString('base64url')

/** The parts of a `nodeId`; empty texts where it has none. */
export function readNodeId(nodeId: string) {
  const [type = '', projectId = '', ...key] = Buffer.from(nodeId, 'base64url').toString().split(':')
  return { type, projectId, key: key.join(':') }
}
