import type { Choice, Habit } from "../settings/settings";

export const primaryDomainUrls: Habit = {
  name: "primary-domain-urls",
  does: "`primary_domain` is the `https://` URL of a domain; a name without a scheme is 400",
  client:
    "takes a host or an `https://` URL and compares by host; sends the configured form and, after a 400, the others",
  since: "17.8",
  sources: [
    '`lib/api/pages.rb` (400 "attribute is missing from the domain list") and `app/models/pages_domain.rb` (`url`: `https://` with a certificate, else `http://`) in [gitlabhq/gitlabhq](https://github.com/gitlabhq/gitlabhq)',
  ],
  on: "observed",
};

interface PrimaryDomains {
  /** Whether a domain without a scheme is accepted. */
  readonly isSchemeOptional: boolean;
  /** Returns the primary domain for responses, from the value that was set. */
  show(given: string): string;
}

/** The forms of the primary domain that requests and responses have. */
export const PRIMARY_DOMAINS: Choice<PrimaryDomains> = {
  habit: primaryDomainUrls,
  off: { isSchemeOptional: true, show: (given) => given },
  on: { isSchemeOptional: false, show: (given) => addressOf(domainOf(given)) },
};

/** Returns the host of a domain or of an `https://` URL. */
export const domainOf = (given: string): string => given.replace(/^https:\/\//i, "");

export const addressOf = (domain: string): string => `https://${domain}`;
