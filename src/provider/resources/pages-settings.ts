import { domainToASCII } from "node:url";
import { ApiError, type PagesSettings, type PagesUpdate } from "../../api";
import { computed, configOnly, type Declared, optionalComputed } from "../../schema";
import { defineResource, type Found, LIMITS_IF_TRUE, projectAttribute, type Scope } from "../define";

/** Matches a host name, or the `https://` URL of a host. */
const FORM = /^(?:https:\/\/)?[^\s/:?#@]+\/?$/i;

/**
 * Returns the error message for an invalid primary domain; undefined for a valid domain. The declared value `""` means
 * that the Pages have no primary domain.
 */
const checkDomain = (domain: string): string | undefined =>
  domain === "" || FORM.test(domain)
    ? undefined
    : `${JSON.stringify(domain)} is not a valid domain. Write a host, such as "docs.example.com", or a URL, such as "https://docs.example.com".`;

/**
 * Returns the normalized host of a domain. For example, a host and its URL give the same result. Upper and lower
 * case, and a dot at the end, make no difference.
 */
function hostOf(domain: string): string {
  const host = domain
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "")
    .replace(/\.$/, "");
  return domainToASCII(host) || host.toLowerCase();
}

/**
 * Sends a primary domain as declared. After a 400, the function tries the other forms, because some releases of the
 * platform expect a host, and others a URL. For a domain without a certificate, the URL starts with `http://`.
 *
 * @throws ApiError with the response to the declared form, if the service refuses all forms
 */
async function sendDomain<T>(declared: string, send: (domain: string) => Promise<T>): Promise<T> {
  let refused: unknown;
  for (const domain of formsOf(declared)) {
    try {
      return await send(domain);
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.status === 400)) throw problem;
      refused ??= problem;
    }
  }
  throw refused;
}

function formsOf(declared: string): readonly string[] {
  if (declared === "") return [declared];
  const host = hostOf(declared);
  const isAddress = /^https:/i.test(declared);
  // If the declaration contains a URL with https, no URL with http is sent.
  return [...new Set([declared, host, `https://${host}`, ...(isAddress ? [] : [`http://${host}`])])];
}

const attributes = {
  project: projectAttribute("that the Pages belong to"),
  unique_domain_enabled: optionalComputed.bool(
    "Whether the project's Pages have their own host name (`true`) or a path on the host name of their group " +
      "(`false`). A change of this attribute also changes `url`. If omitted, Steward does not manage the setting, and " +
      "shows its live value.",
  ),
  force_https: optionalComputed.bool(
    "Whether plain HTTP is redirected to HTTPS. If omitted, Steward does not manage the setting, and shows its live " +
      "value.",
  ),
  primary_domain: optionalComputed.normalizedString(hostOf, {
    description:
      "The domain to which the service redirects all requests for the Pages. The domain must already be assigned to " +
      "the project's Pages. Set a host, such as `docs.example.com`, or a URL, such as `https://docs.example.com`. Both " +
      'are equivalent, and the state keeps the declared form. `""` clears the domain. If omitted, Steward does not ' +
      'manage the setting, and shows its live value. On a service before release 17.8, the value is always `""`.',
    check: checkDomain,
  }),
  unpublish_on_destroy: configOnly.bool({
    description:
      "Whether a destroy of this object removes all deployments of the project's Pages. A destroy always keeps the " +
      "settings. It uses the value of the last apply.",
    default: false,
  }),
  url: computed.string({
    description: "The URL of the project's Pages. It changes when `unique_domain_enabled` changes.",
    changesOnUpdate: (prior, planned) => planned["unique_domain_enabled"] !== prior["unique_domain_enabled"],
  }),
};

type Settings = Declared<typeof attributes>;

/** Pages settings of a project (specification, "Pages"). */
export const pagesSettings = defineResource({
  type: "pages_settings",
  description:
    "Manages the Pages settings of a project. If Pages is enabled, every project has these settings. A create sets " +
    "the declared values, and a destroy does not change them. By the specification, only an administrator of the " +
    "instance can change the settings. On the live platform, the Maintainer role is enough. A plan reads the " +
    "settings, which needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "Pages",
  access: {
    grants: "nothing",
    strictness: {
      attributes: { force_https: LIMITS_IF_TRUE, unique_domain_enabled: LIMITS_IF_TRUE },
    },
  },
  writers: {
    role: 60,
    description:
      "Only an administrator of the instance may change or unpublish Pages by the specification; in some releases the " +
      "Maintainer role is enough. Apply with the token of a user who has the required role.",
  },

  create: (scope, declared) => change(scope, declared, {}),
  read,
  update: change,

  isLeftOnDestroy: ({ unpublish_on_destroy }) => unpublish_on_destroy !== true,
  async delete({ api, container }, _key, { unpublish_on_destroy }) {
    if (unpublish_on_destroy === true) await api.pages.unpublish(container);
  },
  isDestroyed: async ({ api, container }) => (await api.pages.get(container)).deployments.length === 0,

  list: async (scope) => [await read(scope)],
  defaults: { unique_domain_enabled: false, force_https: true, primary_domain: "" },
});

async function read({ api, container }: Scope) {
  return found(await api.pages.get(container));
}

/**
 * Sends the declared settings that differ from the observed settings. If no setting differs, the function only reads
 * the settings.
 */
async function change(scope: Scope, declared: Settings, observed: Partial<Found<typeof attributes>>) {
  const { unique_domain_enabled, force_https, primary_domain } = declared;
  const isDifferent = <T>(wanted: T | null, live: T | null | undefined): wanted is T =>
    wanted !== null && wanted !== live;
  const sent: PagesUpdate = {
    ...(isDifferent(unique_domain_enabled, observed.unique_domain_enabled) && {
      pages_unique_domain_enabled: unique_domain_enabled,
    }),
    ...(isDifferent(force_https, observed.force_https) && { pages_https_only: force_https }),
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
