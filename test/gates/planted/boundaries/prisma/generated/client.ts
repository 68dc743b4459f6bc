export class PrismaClient {}
