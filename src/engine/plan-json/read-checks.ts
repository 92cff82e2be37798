import * as z from "zod/mini";
import { type Diagnostic, error, warning } from "../../diagnostics";
import { statedLines } from "../../text";
import {
  CHECK_STATUSES,
  CHECKABLE_KINDS,
  type CheckableKind,
  type CheckResult,
} from "../results/check-results";

const displayed = z.object({ to_display: z.string() });
const status = z.enum(CHECK_STATUSES);
/** The schema of an entry in `checks`. */
export const checkResult = z.object({
  address: z.extend(displayed, { kind: z.enum(CHECKABLE_KINDS) }),
  status,
  instances: z.optional(
    z.array(
      z.object({
        address: displayed,
        status,
        problems: z.optional(z.array(z.object({ message: z.string() }))),
      }),
    ),
  ),
});

export const checkOf = ({
  address,
  status: found,
  instances = [],
}: z.infer<typeof checkResult>): CheckResult => ({
  kind: address.kind,
  declaration: address.to_display,
  status: found,
  objects: instances.map((one) => ({
    address: one.address.to_display,
    status: one.status,
    failureMessages: (one.problems ?? []).map(({ message }) => message),
  })),
});

const SUMMARIES: Readonly<Record<CheckableKind, string>> = {
  resource: "Resource condition failed",
  output_value: "Output condition failed",
  check: "Check block assertion failed",
  var: "Invalid value for variable",
};

/** Returns the diagnostics of failed conditions. Failed conditions of a check block are warnings. */
export const failuresOf = ({ kind, objects }: CheckResult): Diagnostic[] =>
  objects
    .filter((one) => one.status === "fail" || one.status === "error")
    .flatMap(({ address, failureMessages }) =>
      (failureMessages.length > 0 ? failureMessages : ["The condition could not be evaluated."]).map(
        (message) =>
          (kind === "check" ? warning : error)({
            code: "condition_failed",
            summary: SUMMARIES[kind],
            detail: statedLines(message),
            address,
          }),
      ),
    );
