import { steward } from "../support/command";
import { StackFolder } from "../support/stack-folder";
import { plansOf, runCycle, type Tell } from "./cycle";
import type { Case } from "./model";
import type { Step } from "./steps";
import { withService } from "./with-service";

const WORDS: Readonly<Record<Step, readonly string[]>> = {
  apply: ["apply", "--auto-approve"],
  plan: ["plan", "--detailed-exitcode"],
  change: ["plan", "--detailed-exitcode"],
  destroy: ["destroy", "--auto-approve"],
};
/** Returns the exit code of a step that succeeds. */
export const codeOf = (step: Step): number => (step === "change" ? 2 : 0);

/**
 * Runs a case twice with the embedded engine: as a person runs it, and then with events, to split the time by phase.
 */
export async function runEmbedded(one: Case, tell: Tell): Promise<void> {
  for (const hasEvents of [false, true])
    await withService(one, async (service) => {
      const stack = new StackFolder();
      const more = hasEvents ? ["--json"] : [];
      const run = (step: Step) =>
        steward([...WORDS[step], ...stack.words, ...more], service.env, [codeOf(step)]);
      try {
        await runCycle(one, { service, stack, run, hasEvents, plans: hasEvents ? 1 : plansOf(one) }, tell);
      } finally {
        stack.remove();
      }
    });
}
