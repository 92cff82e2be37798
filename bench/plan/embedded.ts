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
/** The exit code of a successful command. */
export const codeOf = (step: Step): number => (step === "change" ? 2 : 0);

/** Runs a case in this project's engine twice: as a person does, and again to split the time by phase. */
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
