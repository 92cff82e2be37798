import { type Diagnostic, type DiagnosticAction, error } from "../../diagnostics";

type MoveBetween = Required<Extract<DiagnosticAction, { kind: "move" }>>;

/**
 * Objects that the state of one stack holds and another stack declares have one cause: their declarations moved. If there
 * are several of them, the errors name the one command that moves them all. What both stacks declare is left as it is.
 */
export function movedTogether(conflicts: readonly Diagnostic[]): Diagnostic[] {
  const counts = new Map<string, number>();
  for (const one of conflicts) {
    const cause = causeOf(one);
    if (cause !== undefined) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return conflicts.map((one) => {
    const cause = causeOf(one);
    if (cause === undefined) return one;
    return counts.get(cause) === 1 ? one : ofMany(one, cause);
  });
}

function causeOf({ summary, action }: Diagnostic): string | undefined {
  if (!isMove(action) || summary === DECLARED_TWICE) return undefined;
  return `moved from the stack ${action.stacks.from} to the stack ${action.stacks.to}`;
}

const isMove = (action: DiagnosticAction | undefined): action is MoveBetween =>
  action?.kind === "move" && action.stacks !== undefined;

/** The summary of two declarations of one object: one of them has to go first. */
export const DECLARED_TWICE = "Declared in two stacks";

function ofMany({ address, construct, action }: Diagnostic, cause: string): Diagnostic {
  const { stacks } = action as MoveBetween;
  const { from, to } = stacks;
  return error({
    code: "object_of_two_stacks",
    summary: "Still in the state of another stack",
    detail:
      `The stack "${to}" declares objects that the state of the stack "${from}" holds: the next apply of "${from}" would ` +
      `destroy them. Move them to the state of "${to}" with this command, which lists them.`,
    action: { kind: "moveAll", stacks: stacks },
    cause,
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
  });
}
