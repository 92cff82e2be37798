import { LEVEL } from "../access/levels";
import type { ByMode } from "../settings/compat-mode";

/** The lowest role that may change and unpublish Pages. */
export const PAGES_CHANGED_FROM: ByMode<number> = {
  strict: LEVEL.administrator,
  observed: LEVEL.maintainer,
};

interface PrimaryDomains {
  /** Whether a domain without a scheme is accepted. */
  readonly takesNames: boolean;
  /** The primary domain in answers, by the value that was set. */
  show(given: string): string;
}

/** Accepted and returned forms of the primary domain. */
export const PRIMARY_DOMAINS: ByMode<PrimaryDomains> = {
  strict: { takesNames: true, show: (given) => given },
  observed: {
    takesNames: false,
    show: (given) => addressOf(domainOf(given)),
  },
};

/** The host of a domain or an `https://` URL. */
export const domainOf = (given: string): string => given.replace(/^https:\/\//i, "");

export const addressOf = (domain: string): string => `https://${domain}`;
