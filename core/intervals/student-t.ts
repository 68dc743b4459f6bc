/**
 * P(|T| ≤ t) of Student's t with a whole number of degrees of freedom, where t = √ν · tan θ. The sum is finite and
 * has no negative term, so nothing cancels.
 * @see Abramowitz & Stegun (1964), 26.7.3 and 26.7.4
 */
function central(theta: number, degrees: number): number {
  const sine = Math.sin(theta)
  const cosine = Math.cos(theta)
  const isOdd = degrees % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = degrees === 1 ? 0 : term
  // The factors are 2/3, 4/5, … for an odd number, and 1/2, 3/4, … for an even one.
  for (let i = isOdd ? 3 : 2; i <= degrees - 2; i += 2) {
    term *= ((i - 1) / i) * cosine ** 2
    sum += term
  }
  return isOdd ? (2 / Math.PI) * (theta + sine * sum) : sine * sum
}

/**
 * The two-sided critical value of Student's t: |T| stays below it with this probability. 0.95 gives the 97.5 %
 * quantile, such as 2.776 for 4 degrees of freedom.
 * @param degrees degrees of freedom, a whole number from 1
 */
export function studentT(probability: number, degrees: number): number {
  let low = 0
  let high = Math.PI / 2
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (central(middle, degrees) < probability) low = middle
    else high = middle
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2)
}
