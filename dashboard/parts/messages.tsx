import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

/** Where short messages appear. They wait in their store until this is loaded. */
export function Messages() {
  return <Notifications position="bottom-center" />
}
