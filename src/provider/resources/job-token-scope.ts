import { NotReadBack } from "../../framework";
import { computed, optionalComputed } from "../../schema";
import { defineResource, projectAttribute, type Scope } from "../define";

export const outboundEnabled = computed.bool({
  description:
    "Whether job tokens created in this project can access other projects. Null if the service no longer has the setting.",
  deprecated: "the service removes this setting in release 18.0.",
});

const attributes = {
  project: projectAttribute("whose job token setting this is"),
  inbound_enabled: optionalComputed.bool(
    "Whether access to this project by other projects' job tokens is limited to the allowlist. " +
      "When `false`, every project has access. If omitted, the setting is not managed and its live value is shown. " +
      "Needs the Maintainer role.",
  ),
  outbound_enabled: outboundEnabled,
};

/** Job token scope settings (specification, "Job token scope (project)"). */
export const jobTokenScope = defineResource({
  type: "job_token_scope",
  description:
    "Whether a project limits which job tokens may access it. The setting exists for every project: " +
    "creating this resource sets it, destroying it does not change it.",
  attributes,
  container: "project",
  feature: "its job token scope",

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
  defaults: { inbound_enabled: true },
  isAccessRelevant: true,
});

const send = ({ api, container }: Scope, isEnabled: boolean) =>
  api.jobTokenScope.update(container, { enabled: isEnabled });

async function read({ api, container }: Scope) {
  const { inbound_enabled, outbound_enabled } = await api.jobTokenScope.get(container);
  return { inbound_enabled, outbound_enabled };
}
