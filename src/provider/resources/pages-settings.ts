import type { PagesSettings, PagesUpdate } from "../../api";
import { computed, configOnly, type Declared, optionalComputed } from "../../schema";
import { projectAttribute } from "../attributes";
import { defineResource, type Found, type Scope } from "../define";
import { orNothing } from "../failure-of";
import { checkDomain, hostOf, sendDomain } from "./parts/pages-domain";

const attributes = {
  project: projectAttribute("whose Pages these are"),
  unique_domain_enabled: optionalComputed.bool({
    description:
      "Whether the project's Pages have a host name of their own (`true`), or a path below their group's (`false`). " +
      "Changing it changes `url`. Left out, it is left alone and its live value is shown.",
  }),
  force_https: optionalComputed.bool({
    description:
      "Whether plain HTTP is redirected to HTTPS. Left out, it is left alone and its live value is shown.",
  }),
  primary_domain: optionalComputed.normalizedString(hostOf, {
    description:
      "The domain that all requests for the Pages are redirected to: one of those assigned to the project's Pages already, " +
      "by its host, such as `docs.example.com`, or its address, `https://docs.example.com`. Both mean the same, and the " +
      'state keeps the declared one. `""` clears it, and stands for none. Left out, it is left alone and its live ' +
      'value is shown; always `""` on a service older than release 17.8.',
    check: checkDomain,
  }),
  unpublish_on_destroy: configOnly.bool({
    description:
      "Whether destroying this object takes the project's Pages off the net: all deployments are removed, the settings " +
      "stay. `false`: destroying leaves Pages as they are. It goes by the last value that was applied.",
    default: false,
  }),
  url: computed.string({
    description:
      "The address of the project's Pages. It is another one once `unique_domain_enabled` changed.",
    changesOnUpdate: (prior, planned) => planned["unique_domain_enabled"] !== prior["unique_domain_enabled"],
  }),
};

type Settings = Declared<typeof attributes>;

/** Pages settings of a project (specification, "Pages"). */
export const pagesSettings = defineResource({
  type: "pages_settings",
  version: 0,
  description:
    "How a project's Pages are reached. The settings exist for every project where Pages is on: creating this resource " +
    "sets what is declared, destroying it leaves them as they are. Changing them needs the token of an administrator " +
    "of the instance by the specification, and the Maintainer role on the live platform; reading them, and so planning, " +
    "the Maintainer role.",
  attributes,
  container: "project",
  feature: "Pages",
  writtenFrom: 60,
  changedBy:
    "Only an administrator of the instance may change or unpublish Pages by the specification; releases differ, and some " +
    "take the Maintainer role. Apply with a token that has the role, or an administrator's.",

  create: (scope, declared) => change(scope, declared, {}),
  read,
  update: change,

  leftOnDestroy: ({ unpublish_on_destroy }) => unpublish_on_destroy !== true,
  async delete({ api, container }, _key, { unpublish_on_destroy }) {
    if (unpublish_on_destroy === true) await api.pages.unpublish(container);
  },

  async list(scope) {
    const settings = await orNothing(read(scope));
    if (settings !== undefined) return [settings];
    // Where Pages is off on the instance there are none; a project that can't be seen is an error.
    await scope.api.projects.get(scope.container);
    return [];
  },
});

async function read({ api, container }: Scope) {
  return found(await api.pages.get(container));
}

/** Sends what is declared and differs from what is known; asks where there is nothing to send. */
async function change(scope: Scope, declared: Settings, observed: Partial<Found<typeof attributes>>) {
  const { unique_domain_enabled, force_https, primary_domain } = declared;
  const differs = <T>(wanted: T | null, live: T | null | undefined): wanted is T =>
    wanted !== null && wanted !== live;
  const sent: PagesUpdate = {
    ...(differs(unique_domain_enabled, observed.unique_domain_enabled) && {
      pages_unique_domain_enabled: unique_domain_enabled,
    }),
    ...(differs(force_https, observed.force_https) && { pages_https_only: force_https }),
  };
  const update = async (more: PagesUpdate) =>
    found(await scope.api.pages.update(scope.container, { ...sent, ...more }));
  if (primary_domain !== null && isOther(primary_domain, observed.primary_domain)) {
    return sendDomain(primary_domain, (pages_primary_domain) => update({ pages_primary_domain }));
  }
  return Object.keys(sent).length === 0 ? read(scope) : update({});
}

const isOther = (domain: string, live: string | null | undefined): boolean =>
  live == null || hostOf(domain) !== hostOf(live);

const found = ({ url, is_unique_domain_enabled, force_https, primary_domain }: PagesSettings) => ({
  url,
  unique_domain_enabled: is_unique_domain_enabled,
  force_https,
  primary_domain: primary_domain ?? "",
});
