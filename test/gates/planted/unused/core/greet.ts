export const greet = (value: unknown) => [value, forgotten()]

export const forgotten = () => 'used here alone'

export interface Greeting {
  text: string
}
