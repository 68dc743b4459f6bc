export { PrismaClient } from '../prisma/generated/client.ts'
