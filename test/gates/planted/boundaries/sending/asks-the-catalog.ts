export { hash } from '../prisma/client.ts'
