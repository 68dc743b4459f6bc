export default function greet() {
  return 'hello'
}
