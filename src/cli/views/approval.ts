import type { PlanMode } from "../../engine/plan/model";

const QUESTIONS: Readonly<Record<PlanMode, string>> = {
  normal: "Do you want to perform these actions",
  destroy: "Do you really want to destroy all of this",
  "refresh-only": "Do you want to take these changes over into the state",
};

/** What a person is asked before anything changes. */
export const approvalQuestion = (mode: PlanMode, stack: string | undefined): string =>
  `\n${QUESTIONS[mode]}${stack === undefined ? "" : ` in the stack "${stack}"`}?\n` +
  `  ${mode === "destroy" ? "There is no undo. " : ""}Only 'yes' will be accepted to approve.\n\n  Enter a value: `;

export const isApproval = (answer: string | undefined): boolean => answer?.trim() === "yes";
