import * as z from "zod/mini";

/** Returns the schema of a user or group, in the form that files of owners have: `@maya`, `@acme/security`. */
export const approverName = () =>
  z.string().check(z.regex(/^@[\w.-]+(\/[\w.-]+)*$/, "is not a name such as @maya or @acme/security"));

const names = () => z.array(approverName()).check(z.minLength(1));
const people = () => z.int().check(z.minimum(1));

/** The policy options that say who approves, in the format of an approval file. */
export const approvers = z.strictObject({
  /** The number of people who have to approve. The number does not include the approvers that `rules` names. */
  people: people(),
  /**
   * The users and groups who approve. These users and groups approve instead of the members of the changed projects and groups.
   */
  named: z.optional(names()),
  allow_author: z.optional(z.literal(true)),
  allow_committers: z.optional(z.literal(true)),
  /** Bots whose approvals count. */
  bots: z.optional(names()),
  /** The violated rules that require approvals from named people. */
  rules: z.optional(
    z.array(z.strictObject({ rule: z.string(), people: people(), named: names() })).check(z.minLength(1)),
  ),
});
export type Approvers = z.infer<typeof approvers>;

/** The people who must approve a part of a plan, in the format of an approval file. */
export const neededApprovals = z.strictObject({ approvals: people(), approvers: z.optional(approvers) });
export type NeededApprovals = z.infer<typeof neededApprovals>;

/** Combines the approvals that the changes of a plan need into the approvals that the plan needs. */
export const allNeeded = (parts: readonly NeededApprovals[]): NeededApprovals =>
  parts.reduce((one, other) => {
    const both = [one.approvers, other.approvers].filter((some) => some !== undefined);
    const rules = new Map(both.flatMap((some) => some.rules ?? []).map((rule) => [rule.rule, rule]));
    const approvers = both.length === 0 ? undefined : { ...both[0]!, ...both[1] };
    return {
      approvals: Math.max(one.approvals, other.approvals),
      ...(approvers && {
        approvers: {
          ...approvers,
          people: Math.max(...both.map((some) => some.people)),
          ...(rules.size > 0 && { rules: [...rules.values()] }),
        },
      }),
    };
  });
