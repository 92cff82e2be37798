import type { ApplyResult, PlanMode, ServiceUser } from "../../engine";

/** The changes of a stack that the run has made. */
export interface ChangedStack {
  readonly name: string | undefined;
  readonly done: ApplyResult["done"];
}

const QUESTIONS: Readonly<Record<PlanMode, string>> = {
  normal: "Do you want to perform these actions",
  destroy: "Do you really want to destroy all of this",
  "refresh-only": "Do you want to update the state with these changes",
};

/** The question before an apply, line by line. */
export const approvalQuestion = (
  mode: PlanMode,
  stack: string | undefined,
  services: readonly ServiceUser[] = [],
): string[] => [
  "",
  `${QUESTIONS[mode]}${stack === undefined ? "" : ` in the stack "${stack}"`}?`,
  ...services.map(({ service, user }) => `  On ${service}${user === undefined ? "" : ` as ${user}`}.`),
  `  ${mode === "destroy" ? "There is no undo. " : ""}Only 'yes' will be accepted to approve.`,
  "",
  "  Enter a value: ",
];

export const isApproval = (answer: string | undefined): boolean => answer?.trim() === "yes";

/** The message for a plan that is not approved. Earlier stacks of the run may have been changed. */
export function notApproved(stack: string | undefined, before: readonly ChangedStack[]): string {
  const changed = before.filter(({ done }) => Object.values(done).some((count) => count > 0));
  if (changed.length === 0) return "Not approved: nothing was changed.";
  const counts = changed.map(
    ({ name = "", done: { add, change, remove } }) =>
      `"${name}" (${add} added, ${change} changed, ${remove} destroyed)`,
  );
  return `Not approved: nothing was changed in the stack "${stack}". This run changed ${counts.join(", ")} before.`;
}
