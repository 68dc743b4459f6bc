export function one(): number {
  const two = 2
  return 1
}
