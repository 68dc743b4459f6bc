import '../../core/errors.ts'
