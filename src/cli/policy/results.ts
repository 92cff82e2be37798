import * as z from "zod/mini";
import type { Diagnostic } from "../../diagnostics";
import type { UsedWaiver } from "../../provider";

const ruleViolation = z.strictObject({
  rule: z.string(),
  address: z.optional(z.string()),
  /** A line for people that describes the violation, and names the stack and the project or group. */
  what: z.string(),
});
const appliedWaiver = z.strictObject({
  rule: z.string(),
  project: z.string(),
  reason: z.string(),
  owner: z.optional(z.string()),
  /** The day on which the waiver ends. Absent for a waiver of one run. */
  until: z.optional(z.string()),
  /** Lines about the violations that the waiver accepts. */
  accepted: z.readonly(z.array(z.string())),
});

/** The results of the policies for a plan that may be applied, in the format of an approval file. */
export const policyResults = {
  /** The violations of advisory rules, and of rules whose violations people can approve. Absent if there are no violations. */
  violations: z.optional(z.readonly(z.array(ruleViolation))),
  /** The waivers that accept violations of this plan. Absent if no waiver accepts a violation. */
  waivers: z.optional(z.readonly(z.array(appliedWaiver))),
};

/** A violation that people see before they approve. */
export type RuleViolation = z.infer<typeof ruleViolation>;
/** A waiver that accepts violations of the plan. */
export type AppliedWaiver = z.infer<typeof appliedWaiver>;

/** The violations and waivers of a plan. A list that is absent counts as empty. */
export interface PolicyResults {
  readonly violations?: readonly RuleViolation[] | undefined;
  readonly waivers?: readonly AppliedWaiver[] | undefined;
}

/** Returns the results of policies. The order of the results does not depend on the order of the checks. */
export function resultsOf(found: readonly Diagnostic[], used: readonly UsedWaiver[]): PolicyResults {
  const violations = found.flatMap(({ rule, address, detail }) =>
    rule === undefined
      ? []
      : [{ rule, ...(address !== undefined && { address }), what: detail.replace(/\s+/g, " ").trim() }],
  );
  const waivers = used
    .filter(({ uses }) => uses > 0)
    .flatMap(({ rule, project, reason, owner, until, accepted = [] }) => {
      if (rule === undefined) return [];
      const facts = { ...(owner !== undefined && { owner }), ...(until !== undefined && { until }) };
      return [{ rule, project, reason, ...facts, accepted: [...accepted].sort() }];
    });
  return {
    ...(violations.length > 0 && { violations: sorted(violations) }),
    ...(waivers.length > 0 && { waivers: sorted(waivers) }),
  };
}

const sorted = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => [JSON.stringify(one), one] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, one]) => one);
