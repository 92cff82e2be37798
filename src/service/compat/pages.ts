import { LEVEL } from "../access/levels";
import type { ByMode } from "../settings/compat-mode";

/** The role that changes and unpublishes Pages. */
export const PAGES_CHANGED_FROM: ByMode<number> = {
  strict: LEVEL.administrator,
  observed: LEVEL.maintainer,
};

interface PrimaryDomains {
  /** Whether the name of a domain is taken, without a scheme. */
  readonly takesNames: boolean;
  /** How answers show the primary domain that was set as `given`. */
  show(given: string): string;
}

/** In which form a project's domain is its primary domain. */
export const PRIMARY_DOMAINS: ByMode<PrimaryDomains> = {
  strict: { takesNames: true, show: (given) => given },
  observed: {
    takesNames: false,
    show: (given) => addressOf(domainOf(given)),
  },
};

/** The domain of a name or an `https://` address. */
export const domainOf = (given: string): string => given.replace(/^https:\/\//i, "");

export const addressOf = (domain: string): string => `https://${domain}`;
