import { operation } from "./operation";

/**
 * Called on an interrupt: operations in progress end as soon as it is safe, and return what they have done.
 */
export const stopProvider = operation("StopProvider", {
  handle(session) {
    session.stop();
    return {};
  },
});
