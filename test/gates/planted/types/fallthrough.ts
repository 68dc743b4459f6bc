export function sign(value: number): string {
  let text = ''
  switch (value) {
    case 0:
      text = 'zero'
    default:
      return text
  }
}
