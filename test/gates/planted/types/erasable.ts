export enum Impact {
  high,
}
