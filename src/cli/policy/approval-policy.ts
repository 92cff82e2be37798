import * as z from "zod/mini";
import { approverName } from "./approvers";

const names = () => z.optional(z.array(approverName()).check(z.minLength(1)));

const approvalPolicy = z.strictObject({
  approvals: z.optional(z.int().check(z.minimum(1))),
  approvers: names(),
  allowAuthor: z.optional(z.boolean()),
  allowCommitters: z.optional(z.boolean()),
  bots: names(),
});

/** The people who must approve every plan, from the export `approval` of a policy module. */
export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

/**
 * Reads the export `approval` of a module.
 *
 * @returns undefined if the module has no export `approval`
 * @throws Error with a message about the problem
 */
export function readApprovalPolicy(exported: unknown): ApprovalPolicy | undefined {
  const { approval } = Object(exported) as { readonly approval?: unknown };
  if (approval === undefined) return undefined;
  const { data, error } = approvalPolicy.safeParse(approval, { error: z.locales.en().localeError });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error([issue!.path.join("."), issue!.message].filter((part) => part !== "").join(" "));
}
