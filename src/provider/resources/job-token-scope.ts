import { ApiError } from "../../api";
import { type Diagnostic, warning } from "../../diagnostics";
import { NotReadBack, ServiceFailure } from "../../framework";
import { computed, optionalComputed } from "../../schema";
import { defineResource, LIMITS_IF_TRUE, projectAttribute, type Scope } from "../define";
import { failureOf } from "../failure-of";

export const outboundEnabled = computed.bool({
  description:
    "Whether job tokens created in this project can access other projects. Null if the service no longer has the " +
    "setting.",
  deprecated: "the service removes this setting in release 18.0.",
});

const attributes = {
  project: projectAttribute("to which the setting belongs"),
  inbound_enabled: optionalComputed.bool(
    "Whether only projects and groups on the allowlist may access this project with job tokens. If `false`, every " +
      "project has access. If omitted, Steward does not manage the setting, and shows its live value. " +
      "The token's user needs the Maintainer role.",
  ),
  outbound_enabled: outboundEnabled,
};

/** Job token scope settings (specification, "Job token scope (project)"). */
export const jobTokenScope = defineResource({
  type: "job_token_scope",
  description:
    "Whether a project limits the job tokens that may access the project. Every project has this setting: a create " +
    "sets it, and a destroy does not change it.",
  attributes,
  container: "project",
  feature: "its job token scope",
  access: {
    grants: "job_tokens",
    limit: "inbound_enabled",
    strictness: { attributes: { inbound_enabled: LIMITS_IF_TRUE } },
  },

  async create(scope, { inbound_enabled }) {
    if (inbound_enabled === null) return read(scope);
    await send(scope, inbound_enabled);
    return read(scope).catch((problem: unknown) => {
      throw new NotReadBack({ inbound_enabled, outbound_enabled: null }, problem);
    });
  },
  read,
  async update(scope, { inbound_enabled }, observed) {
    if (inbound_enabled === null || inbound_enabled === observed.inbound_enabled) return observed;
    await send(scope, inbound_enabled);
    return { ...observed, inbound_enabled };
  },
  list: async (scope) => [await read(scope)],
  onPlan: {
    create: (scope, declared) => enforcement(scope, declared.inbound_enabled),
    update: (declared, _, scope) => enforcement(scope, declared.inbound_enabled),
  },
  defaults: { inbound_enabled: true },
  isAccessRelevant: true,
  undeclarable: ({ outbound_enabled }) => (outbound_enabled ? { outbound_enabled: REMOVED_SOON } : {}),
});

const REMOVED_SOON =
  "the setting is true, and Steward only reads it, because the service removes the setting in release 18.0";

/**
 * Switches the limit on or off. @throws ApiError. If the service refuses `false`, the error says that the instance
 * may enforce the limit
 */
const send = ({ api, container }: Scope, isEnabled: boolean) =>
  api.jobTokenScope.update(container, { enabled: isEnabled }).catch((problem: unknown) => {
    if (isEnabled || !(problem instanceof ApiError) || problem.status !== 400) throw problem;
    const failure = failureOf(problem)!;
    throw new ServiceFailure({ ...failure, detail: `${failure.detail} ${ENFORCED}` });
  });

const ENFORCED =
  "The instance may enforce the limit for all projects. Then declare `inbound_enabled = true`, or remove the " +
  "attribute. An administrator finds the setting under CI/CD, Job token permissions " +
  "(enforce_ci_inbound_job_token_scope_enabled).";

/**
 * Returns a warning if a declared `false` has no effect because the instance enforces the limit. The function reads
 * the setting of the instance only for a declared `false`. Only administrators can read this setting.
 */
async function enforcement({ api }: Scope, declared: boolean | null): Promise<Diagnostic[]> {
  if (declared !== false) return [];
  const isEnforced = await api.applicationSettings.get().then(
    (settings) => settings.enforce_ci_inbound_job_token_scope_enabled === true,
    (problem: unknown) => {
      if (problem instanceof ApiError && problem.code !== "cancelled") return false;
      throw problem;
    },
  );
  return isEnforced
    ? [
        warning({
          code: "job_token_limit_enforced",
          summary: "Instance enforces the job token limit",
          detail:
            "The instance setting enforce_ci_inbound_job_token_scope_enabled limits job token access in every " +
            "project. The service refuses `inbound_enabled = false`. Declare `true`, or remove the attribute.",
          attribute: ["inbound_enabled"],
        }),
      ]
    : [];
}

async function read({ api, container }: Scope) {
  const { inbound_enabled, outbound_enabled } = await api.jobTokenScope.get(container);
  return { inbound_enabled, outbound_enabled };
}
