import { operation } from "./operation";

/** Asked on an interrupt: what is under way ends as soon as it safely can, and answers what it has done. */
export const stopProvider = operation("StopProvider", {
  answer(session) {
    session.stop();
    return {};
  },
});
