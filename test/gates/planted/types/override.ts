class Reader {
  read() {}
}

export class Writer extends Reader {
  read() {}
}
