import type { Policies } from "../policy/policies";
import { commitOf } from "../terminal/ci-run";
import type { Terminal } from "../terminal/terminal";
import type { Approval, ApprovedChange } from "./file";

/** Changes with what they were planned from and checked against. */
export const approvalOf = (
  changes: readonly ApprovedChange[],
  approvals: number,
  { digest }: Policies,
  terminal: Pick<Terminal, "env" | "folder">,
  commit = commitOf(terminal),
): Approval => ({
  format_version: "1.0",
  commit: commit ?? null,
  policies: digest,
  approvals,
  changes: [...changes],
});
