const usual = 'us-east-1'

/** The region that the URL of a storage names: in its parameter `region`, or in its host, as Amazon's do. */
export function regionOf(endpoint: string): string {
  const { hostname, searchParams } = new URL(endpoint)
  const [, inHost = usual] = /^s3[.-]([a-z]+(?:-[a-z]+)+-\d+)\./.exec(hostname) ?? []
  return searchParams.get('region') ?? inHost
}
