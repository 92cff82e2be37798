import type { Blocks, DifferentialCase } from "../case";

const scope = (name: string, enabled = true): Blocks => ({
  steward_job_token_scope: { [name]: { project: `acme/${name}`, inbound_enabled: enabled } },
});
const rule = (condition: string, message = "It does not hold."): Blocks => ({
  condition,
  error_message: message,
});

/** Conditions of what is no resource. */
export const checks: readonly DifferentialCase[] = [
  {
    name: "checked",
    steps: [
      {
        does: "tells what fails, and what is open until apply",
        declares: {
          resource: scope("checked"),
          check: {
            checked_open: { assert: rule('${steward_job_token_scope.checked.id == "x"}') },
            checked_now: {
              assert: [
                rule("${steward_job_token_scope.checked.inbound_enabled}"),
                rule('${steward_job_token_scope.checked.project == ""}', "No project."),
              ],
            },
          },
        },
      },
      {
        does: "goes on where a check is taken out",
        declares: {
          resource: scope("checked", false),
          check: { checked_now: { assert: rule("${steward_job_token_scope.checked.inbound_enabled}") } },
        },
      },
    ],
  },
  {
    name: "checked_alone",
    steps: [
      {
        does: "reads a data source within a check, again when it is applied",
        // Each plan reads it again: none is empty.
        targets: [],
        declares: {
          resource: scope("checked_alone"),
          check: {
            checked_alone: {
              data: { steward_project: { checked_alone: { project: "acme/checked_alone" } } },
              assert: rule("${!data.steward_project.checked_alone.archived}"),
            },
          },
        },
      },
      {
        does: "goes on where it can't be read",
        // Each plan reads it again: none is empty.
        targets: [],
        declares: {
          resource: scope("checked_alone", false),
          check: {
            checked_alone: {
              data: { steward_project: { checked_alone: { project: "acme/none-such" } } },
              assert: rule("${!data.steward_project.checked_alone.archived}"),
            },
          },
        },
      },
    ],
  },
  {
    name: "validated",
    steps: [
      {
        does: "takes a value that holds, by way of others and of a data source",
        declares: {
          variable: {
            validated_low: { type: "number", default: 1 },
            validated_high: {
              type: "number",
              validation: [
                rule("${var.validated_high > var.validated_low}"),
                rule("${data.steward_project.validated.full_path != tostring(var.validated_high)}"),
              ],
            },
          },
          data: { steward_project: { validated: { project: "acme/validated" } } },
          output: {
            validated: {
              value: "${var.validated_high}",
              precondition: rule('${steward_job_token_scope.validated.id != ""}'),
            },
          },
          resource: scope("validated"),
        },
        variables: { validated_high: 5 },
      },
    ],
  },
  {
    name: "invalidated",
    steps: [
      {
        does: "is refused for a value that does not hold",
        fails: "plan",
        declares: {
          variable: {
            invalidated: { type: "number", validation: rule("${var.invalidated > 1}", "Above 1, please.") },
          },
          resource: scope("invalidated"),
        },
        variables: { invalidated: 1 },
      },
    ],
  },
  {
    name: "unmet",
    steps: [
      {
        does: "leaves an output as it is whose precondition fails",
        fails: "apply",
        declares: {
          resource: scope("unmet"),
          output: {
            unmet: { value: "x", precondition: rule('${steward_job_token_scope.unmet.id == ""}') },
          },
        },
      },
    ],
  },
];
