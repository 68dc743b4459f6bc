/** Shows the button that prints, and opens on paper what a reader may have left closed. */
export const printScript = `for (const button of document.querySelectorAll('.print')) {
  button.hidden = false
  button.onclick = () => print()
}
onbeforeprint = () => {
  for (const each of document.querySelectorAll('details')) each.open = true
}`
