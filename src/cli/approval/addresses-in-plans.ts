import { fail } from "../../diagnostics";
import { addressesIn } from "../reports/safe-report";
import type { ConcealedTexts } from "../stack-runs/plan-file";
import type { Terminal } from "../terminal/terminal";
import { fileKey, hasHidden, hideAddresses, revealAddresses } from "./hidden-addresses";

/**
 * Returns functions that use the pipeline's key to encrypt and decrypt the e-mail addresses in a saved plan. Without a key, the
 * plan contains addresses in clear text, because the apply needs the addresses. In a pipeline, Steward refuses to write a plan
 * with addresses in clear text, because many people can read artifacts.
 *
 * @param file the name of the file, for errors
 */
export function concealedAddresses(file: string, { env }: Pick<Terminal, "env">): ConcealedTexts {
  const key = fileKey(env);
  return {
    conceal(text) {
      const concealed = hideAddresses(text, key);
      const isOpen = key === undefined && env["CI"] !== undefined && /@|%40/.test(text);
      if (isOpen && addressesIn(text).length > 0) fail(noKey(file, "plan", "saved_plan_not_written"));
      return concealed;
    },
    reveal(text) {
      const revealed = revealAddresses(text, key);
      if (!hasHidden(revealed)) return revealed;
      return fail({
        code: "saved_plan_invalid",
        summary: "Saved plan has encrypted addresses",
        detail: `${file} has encrypted e-mail addresses, and STEWARD_ADDRESS_KEY ${key === undefined ? "is not set" : "does not decrypt them"}. Nothing was sent. Set the key of the job that saved the plan, or plan again.`,
      });
    },
  };
}

/** Returns the error about a missing key, for a file whose e-mail addresses must be encrypted. */
export const noKey = <Code extends "approval_not_written" | "saved_plan_not_written">(
  file: string,
  what: "plan" | "approval",
  code: Code,
) => ({
  code,
  summary: "No key for e-mail addresses",
  detail: `The ${what === "plan" ? "plan contains" : "changes contain"} e-mail addresses, and other people can read the file. ${file} was not written. Set STEWARD_ADDRESS_KEY to a random text, such as the output of \`openssl rand -hex 32\`. In a pipeline, use a masked variable of the project. All jobs and people that read the file need this key.`,
});
