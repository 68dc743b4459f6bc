import '../core/errors.ts'
