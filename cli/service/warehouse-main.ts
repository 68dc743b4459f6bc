// The warehouse as a child of the supervisor. Its own entry comes first, since it sets the number of threads.
import '../../warehouse/chdb/main.ts'
